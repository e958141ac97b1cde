import type { ExpressionBuilder } from 'kysely'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { EntryRow, Tables } from '../../../platform/database/tables.ts'
import { splitPassages } from '../../../embedding/passages.ts'
import type { EmbeddingItem, EmbeddingTarget } from '../../../embedding/targets.ts'
import { encodeVector, encodeVectors } from '../../../embedding/vector-codec.ts'

export const ENTRY_KIND = 'entry'

type EmbeddedColumns = Pick<EntryRow, 'id' | 'version' | 'title' | 'content' | 'related_themes'>

interface EntryItem extends EmbeddingItem {
  readonly passages: readonly { start: number; end: number }[]
}

/** The texts an entry's vectors are made of: its passages, then its related themes where it has some. */
export function embeddingItemOf(row: EmbeddedColumns): EntryItem {
  const passages = splitPassages(row.title, row.content)
  const texts = passages.map((passage) => passage.text)
  return {
    id: row.id,
    version: row.version,
    passages: passages.map(({ start, end }) => ({ start, end })),
    texts: row.related_themes ? [...texts, row.related_themes] : texts,
  }
}

/** Whether an update changed anything its vectors are made of. */
export function sameEmbeddedText(one: EmbeddedColumns, other: EmbeddedColumns): boolean {
  return one.title === other.title && one.content === other.content && one.related_themes === other.related_themes
}

export async function saveVectors(
  tx: Queries,
  tenantId: string,
  model: string,
  item: EmbeddingItem,
  vectors: readonly Float32Array[],
): Promise<void> {
  const { passages } = item as EntryItem
  const row = {
    tenant_id: tenantId,
    entry_id: item.id,
    model,
    ...encodeVectors(passages, vectors.slice(0, passages.length)),
    related: vectors.length > passages.length ? encodeVector(vectors[passages.length]) : null,
  }
  const { offsets, vectors: bytes, related } = row
  await tx
    .insertInto('entry_vectors')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'entry_id', 'model']).doUpdateSet({ offsets, vectors: bytes, related }))
    .execute()
}

export async function deleteVectors(tx: Queries, tenantId: string, entryId: string): Promise<void> {
  await tx.deleteFrom('entry_vectors').where('tenant_id', '=', tenantId).where('entry_id', '=', entryId).execute()
}

/** Entries as the embedding queue sees them. */
export function entryEmbeddingTarget(): EmbeddingTarget {
  return {
    kind: ENTRY_KIND,

    async load(db, tenantId, ids) {
      const rows = await db
        .selectFrom('entries')
        .select(['id', 'version', 'title', 'content', 'related_themes'])
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', [...ids])
        .execute()
      return rows.map(embeddingItemOf)
    },

    async save(tx, tenantId, model, item, vectors, seq) {
      const row = await tx
        .selectFrom('entries as e')
        .innerJoin('tenants as t', 't.tenant_id', 'e.tenant_id')
        .select(['e.version', 't.embedding_model'])
        .where('e.tenant_id', '=', tenantId)
        .where('e.id', '=', item.id)
        .executeTakeFirst()
      if (row?.version !== item.version) return false
      await saveVectors(tx, tenantId, model, item, vectors)
      // Vectors of a model the tenant is still moving to change nothing that search shows yet.
      if (row.embedding_model === model) await markEmbedded(tx, tenantId, item.id, model, seq)
      return true
    },

    async missing(db, tenantId, model, afterId, limit) {
      const rows = await db
        .selectFrom('entries as e')
        .leftJoin('entry_vectors as v', (join) =>
          join.onRef('v.tenant_id', '=', 'e.tenant_id').onRef('v.entry_id', '=', 'e.id').on('v.model', '=', model),
        )
        .select('e.id')
        .where('e.tenant_id', '=', tenantId)
        .where('e.id', '>', afterId)
        .where('v.entry_id', 'is', null)
        .orderBy('e.id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },

    async count(db, tenantId, model) {
      const count = (table: 'entries' | 'entry_vectors') =>
        db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('tenant_id', '=', tenantId)
      const [items, embedded] = await Promise.all([
        count('entries').executeTakeFirstOrThrow(),
        count('entry_vectors')
          .where((eb) => eb('model' as never, '=', model as never))
          .executeTakeFirstOrThrow(),
      ])
      return { items: items.count, embedded: embedded.count }
    },

    async activate(tx, tenantId, model) {
      await tx
        .updateTable('entries as e')
        .set((eb) => ({
          embedding_model: eb
            .case()
            .when(
              eb.exists(
                eb
                  .selectFrom('entry_vectors as v')
                  .select('v.entry_id')
                  .whereRef('v.tenant_id', '=', 'e.tenant_id')
                  .whereRef('v.entry_id', '=', 'e.id')
                  .where('v.model', '=', model),
              ),
            )
            .then(model)
            .else(null)
            .end(),
        }))
        .where('e.tenant_id', '=', tenantId)
        .execute()
    },

    async forgetOthers(tx, tenantId, model, limit) {
      const others = (eb: ExpressionBuilder<Tables, 'entry_vectors'>) =>
        eb
          .selectFrom('entry_vectors')
          .select(['entry_id', 'model'])
          .where('tenant_id', '=', tenantId)
          .where('model', '!=', model)
          .limit(limit)
          .$asTuple('entry_id', 'model')
      const { numDeletedRows } = await tx
        .deleteFrom('entry_vectors')
        .where('tenant_id', '=', tenantId)
        .where((eb) => eb(eb.refTuple('entry_id', 'model'), 'in', others(eb)))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

async function markEmbedded(tx: Tx, tenantId: string, entryId: string, model: string, seq: number): Promise<void> {
  await tx
    .updateTable('entries')
    .set({ embedding_model: model, seq })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', entryId)
    .execute()
}
