import type { ExpressionBuilder } from 'kysely'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { ProductRow, ProductVectorsRow, Tables } from '../../../platform/database/tables.ts'
import type { EmbeddingItem, EmbeddingTarget } from '../../../embedding/targets.ts'
import { encodeVector } from '../../../embedding/vector-codec.ts'
import { EMBEDDED_COLUMNS, type EmbeddedColumns, embeddingTextsOf, similarityTextOf } from './embedding-texts.ts'

export const PRODUCT_KIND = 'product'

interface ProductItem extends EmbeddingItem {
  readonly hasAnchor: boolean
}

/** The texts a product's vectors are made of: its embedding texts, then its similarity text where it has one. */
export function embeddingItemOf(row: EmbeddedColumns & Pick<ProductRow, 'id' | 'revision'>): ProductItem {
  const texts = embeddingTextsOf(row).map(({ text }) => text)
  const anchor = similarityTextOf(row)
  return {
    id: row.id,
    version: row.revision,
    texts: anchor === null ? texts : [...texts, anchor],
    hasAnchor: anchor !== null,
  }
}

export function vectorsRowOf(
  tenantId: string,
  model: string,
  item: EmbeddingItem,
  vectors: readonly Float32Array[],
): ProductVectorsRow {
  const encoded = vectors.map(encodeVector)
  const similarity = (item as ProductItem).hasAnchor ? encoded.pop()! : null
  return { tenant_id: tenantId, product_id: item.id, model, vectors: Buffer.concat(encoded), similarity }
}

export async function saveVectors(tx: Queries, rows: readonly ProductVectorsRow[]): Promise<void> {
  await tx
    .insertInto('product_vectors')
    .values(rows)
    .onConflict((c) =>
      c.columns(['tenant_id', 'product_id', 'model']).doUpdateSet((eb) => ({
        vectors: eb.ref('excluded.vectors'),
        similarity: eb.ref('excluded.similarity'),
      })),
    )
    .execute()
}

/** Products as the embedding queue sees them; those a sync has retired keep their vectors for their return. */
export function productEmbeddingTarget(): EmbeddingTarget {
  return {
    kind: PRODUCT_KIND,

    async load(db, tenantId, ids) {
      const rows = await db
        .selectFrom('products')
        .select(['id', 'revision', ...EMBEDDED_COLUMNS])
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', [...ids])
        .execute()
      return rows.map(embeddingItemOf)
    },

    async save(tx, tenantId, model, item, vectors, seq) {
      const row = await tx
        .selectFrom('products as p')
        .innerJoin('tenants as t', 't.tenant_id', 'p.tenant_id')
        .select(['p.revision', 't.embedding_model'])
        .where('p.tenant_id', '=', tenantId)
        .where('p.id', '=', item.id)
        .executeTakeFirst()
      if (row?.revision !== item.version) return false
      await saveVectors(tx, [vectorsRowOf(tenantId, model, item, vectors)])
      // Vectors of a model the tenant is still moving to change nothing that search shows yet.
      if (row.embedding_model === model) await markEmbedded(tx, tenantId, item.id, model, seq)
      return true
    },

    async missing(db, tenantId, model, afterId, limit) {
      const rows = await db
        .selectFrom('products as p')
        .leftJoin('product_vectors as v', (join) =>
          join.onRef('v.tenant_id', '=', 'p.tenant_id').onRef('v.product_id', '=', 'p.id').on('v.model', '=', model),
        )
        .select('p.id')
        .where('p.tenant_id', '=', tenantId)
        .where('p.id', '>', afterId)
        .where('v.product_id', 'is', null)
        .orderBy('p.id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },

    async count(db, tenantId, model) {
      const [items, embedded] = await Promise.all([
        db
          .selectFrom('products')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('tenant_id', '=', tenantId)
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('product_vectors')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('tenant_id', '=', tenantId)
          .where('model', '=', model)
          .executeTakeFirstOrThrow(),
      ])
      return { items: items.count, embedded: embedded.count }
    },

    async activate(tx, tenantId, model) {
      const embedded = (eb: ExpressionBuilder<Tables, 'products'>) =>
        eb
          .selectFrom('product_vectors as v')
          .select('v.product_id')
          .whereRef('v.tenant_id', '=', 'products.tenant_id')
          .whereRef('v.product_id', '=', 'products.id')
          .where('v.model', '=', model)
      await tx
        .updateTable('products')
        .set((eb) => ({
          embedding_model: eb
            .case()
            .when(eb.exists(embedded(eb)))
            .then(model)
            .else(null)
            .end(),
        }))
        .where('tenant_id', '=', tenantId)
        .execute()
    },

    async forgetOthers(tx, tenantId, model, limit) {
      const others = (eb: ExpressionBuilder<Tables, 'product_vectors'>) =>
        eb
          .selectFrom('product_vectors')
          .select(['product_id', 'model'])
          .where('tenant_id', '=', tenantId)
          .where('model', '!=', model)
          .limit(limit)
          .$asTuple('product_id', 'model')
      const { numDeletedRows } = await tx
        .deleteFrom('product_vectors')
        .where('tenant_id', '=', tenantId)
        .where((eb) => eb(eb.refTuple('product_id', 'model'), 'in', others(eb)))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

async function markEmbedded(tx: Tx, tenantId: string, id: string, model: string, seq: number): Promise<void> {
  await tx
    .updateTable('products')
    .set({ embedding_model: model, seq })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
