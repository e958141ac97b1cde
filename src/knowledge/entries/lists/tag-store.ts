import { sql } from 'kysely'
import type { Queries } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'

// The table `entry_tags`, by which lists find entries with a tag. Only `store.ts` writes it, together with the entry.

type TaggedRow = Pick<EntryRow, 'tenant_id' | 'id' | 'created_at' | 'tags'>

const NO_TAGS = '[]'

/** Adds the tags of a new entry. */
export async function insertTags(tx: Queries, portable: Portable, row: TaggedRow): Promise<void> {
  if (row.tags === NO_TAGS) return
  await sql`
    insert into entry_tags (tenant_id, tag, created_at, entry_id)
    select distinct cast(${row.tenant_id} as text), t.value, cast(${row.created_at} as bigint), cast(${row.id} as text)
    from ${portable.jsonTexts(row.tags)} as t
  `.execute(tx)
}

/** Updates the tags of a changed entry: deletes tags that it lost, and adds tags that it gained. */
export async function replaceTags(tx: Queries, portable: Portable, before: TaggedRow, after: TaggedRow): Promise<void> {
  if (before.tags === after.tags) return
  const [tagsBefore, tagsAfter] = [before, after].map(({ tags }) => new Set(JSON.parse(tags) as string[]))
  await deleteTags(tx, portable, { ...before, tags: JSON.stringify([...tagsBefore.difference(tagsAfter)]) })
  await insertTags(tx, portable, { ...after, tags: JSON.stringify([...tagsAfter.difference(tagsBefore)]) })
}

/** Deletes the tags of an entry. */
export async function deleteTags(tx: Queries, portable: Portable, row: TaggedRow): Promise<void> {
  if (row.tags === NO_TAGS) return
  await tx
    .deleteFrom('entry_tags')
    .where('tenant_id', '=', row.tenant_id)
    .where((eb) => portable.isOneOf(eb.ref('tag'), JSON.parse(row.tags) as string[]))
    .where('created_at', '=', row.created_at)
    .where('entry_id', '=', row.id)
    .execute()
}
