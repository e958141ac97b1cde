import { type AliasedRawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'
import { inRange, type ListPosition, type Range } from '../../../platform/database/walk.ts'
import type { EntrySet } from '../membership/membership-store.ts'

/** Filters with an index of their own, along which lists can walk. */
export interface SourceFilters {
  readonly categoryId?: string
  readonly sourceReference?: string
  /** Never combined with tags, project or site. */
  readonly translationGroupId?: string
  readonly projectId?: string
  readonly siteId?: string
  readonly tags?: readonly string[]
}

/** Index, or places in memory, along which a list of entries walks, newest first. */
export interface Source {
  /** Returns the place of the row that is `rows` places after `after`; null when the source ends before. */
  readonly endOf: (after: ListPosition | null, rows: number) => Promise<ListPosition | null>
  /** Returns the places of a range as a table `k`, each once; null when the list walks along the entries themselves. */
  readonly keysIn: (range: Range) => AliasedRawBuilder<{ created_at: number; id: string }, 'k'> | null
  /** Projects and sites that the source does not filter by. The list has to. */
  readonly unsettled: readonly EntrySet[]
}

/** Most entries of a project, site or reference whose places a list reads into memory to walk along them. */
const FEW = 1_000

/** Returns the narrowest source that the filters offer. */
export async function findSource(database: Database, tenantId: string, filters: SourceFilters): Promise<Source> {
  const { categoryId, sourceReference, translationGroupId, projectId, siteId, tags = [] } = filters
  const memberships: EntrySet[] = []
  if (projectId !== undefined) memberships.push({ kind: 'project', id: projectId })
  if (siteId !== undefined) memberships.push({ kind: 'site', id: siteId })
  if (tags.length > 0) return { ...tagSource(database, tenantId, [...new Set(tags)]), unsettled: memberships }
  if (sourceReference !== undefined) {
    const few = await fewFrom(database, tenantId, sourceReference)
    if (few !== null) return { ...placeSource(database, few), unsettled: memberships }
  }
  for (const entrySet of memberships) {
    const few = await fewIn(database, tenantId, entrySet)
    if (few === null) continue
    return { ...placeSource(database, few), unsettled: memberships.filter((other) => other !== entrySet) }
  }
  const [column, value] =
    translationGroupId === undefined
      ? ['category_id' as const, categoryId]
      : ['translation_group_id' as const, translationGroupId]
  return { ...entrySource(database, tenantId, column, value), unsettled: memberships }
}

type FilteredSource = Omit<Source, 'unsettled'>

/** Returns the source of all entries, or of those of one category or translation group. */
function entrySource(
  { queries }: Database,
  tenantId: string,
  column: 'category_id' | 'translation_group_id',
  value: string | undefined,
): FilteredSource {
  const named = value === undefined ? sql`` : sql`and e.${sql.ref(column)} = ${value}`
  return {
    async endOf(after, rows) {
      const { rows: ends } = await sql<{ createdAt: number; id: string }>`
        select e.created_at as "createdAt", e.id from entries as e
        where e.tenant_id = ${tenantId} ${named} and ${inRange('e.created_at', 'e.id', { after, end: null })}
        order by e.created_at desc, e.id desc limit 1 offset ${rows - 1}`.execute(queries)
      return ends[0] ?? null
    },
    keysIn: (range) =>
      value === undefined
        ? null
        : sql<{ created_at: number; id: string }>`(
            select e.created_at, e.id from entries as e
            where e.tenant_id = ${tenantId} ${named} and ${inRange('e.created_at', 'e.id', range)})`.as('k'),
  }
}

/**
 * Returns the source of entries with any of the tags. A range ends where the first of the tags has used up its share of
 * the rows, so that the range has at most `rows` rows of all tags together.
 */
function tagSource({ queries, portable }: Database, tenantId: string, tags: readonly string[]): FilteredSource {
  const json = JSON.stringify(tags)
  return {
    async endOf(after, rows) {
      const share = Math.max(1, Math.floor(rows / tags.length))
      const { rows: ends } = await sql<{ place: string | null }>`
        select (
          select k.created_at || ' ' || k.entry_id from entry_tags as k
          where k.tenant_id = ${tenantId} and k.tag = t.value
            and ${inRange('k.created_at', 'k.entry_id', { after, end: null })}
          order by k.created_at desc, k.entry_id desc limit 1 offset ${share - 1}
        ) as place from ${portable.jsonTexts(json)} as t`.execute(queries)
      return newest(ends.flatMap(({ place }) => (place === null ? [] : [positionOf(place)])))
    },
    keysIn: (range) =>
      sql<{ created_at: number; id: string }>`(
        select distinct k.created_at, k.entry_id as id from entry_tags as k
        where k.tenant_id = ${tenantId} and ${portable.isOneOf(sql.ref('k.tag'), tags)}
          and ${inRange('k.created_at', 'k.entry_id', range)})`.as('k'),
  }
}

function positionOf(place: string): ListPosition {
  const space = place.indexOf(' ')
  return { createdAt: Number(place.slice(0, space)), id: place.slice(space + 1) }
}

function newest(places: readonly ListPosition[]): ListPosition | null {
  return places.toSorted(newestFirst).at(0) ?? null
}

function newestFirst(one: ListPosition, other: ListPosition): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1
}

/** Returns the source of places in memory. @param places newest first */
function placeSource({ portable }: Database, places: readonly ListPosition[]): FilteredSource {
  const isAfter = (place: ListPosition, after: ListPosition | null) => after === null || newestFirst(after, place) < 0
  return {
    endOf: async (after, rows) => places.filter((place) => isAfter(place, after)).at(rows - 1) ?? null,
    keysIn({ after, end }) {
      const keys = places.filter((place) => isAfter(place, after) && (end === null || !isAfter(place, end)))
      const json = JSON.stringify(keys.map(({ createdAt, id }) => ({ created_at: createdAt, id })))
      return portable.jsonRows(json, { created_at: 'bigint', id: 'text' }).as('k') as AliasedRawBuilder<
        { created_at: number; id: string },
        'k'
      >
    },
  }
}

/** Returns the places of the entries of a project or site; null when there are more than `FEW`. */
async function fewIn({ queries }: Database, tenantId: string, { kind, id }: EntrySet): Promise<ListPosition[] | null> {
  const named = { table: sql.table(`${kind}_entries`), column: sql.ref(`g.${kind}_id`) }
  const { rows } = await sql<ListPosition>`
    select e.created_at as "createdAt", e.id from entries as e
    where e.tenant_id = ${tenantId} and e.id in (
      select g.entry_id from ${named.table} as g
      where g.tenant_id = ${tenantId} and ${named.column} = ${id} limit ${FEW + 1})`.execute(queries)
  return rows.length > FEW ? null : rows.toSorted(newestFirst)
}

/** Returns the places of the entries with a source reference; null when there are more than `FEW`. */
async function fewFrom({ queries }: Database, tenantId: string, reference: string): Promise<ListPosition[] | null> {
  const rows = await queries
    .selectFrom('entries')
    .select(['created_at as createdAt', 'id'])
    .where('tenant_id', '=', tenantId)
    .where('source_reference', '=', reference)
    .limit(FEW + 1)
    .execute()
  return rows.length > FEW ? null : rows.toSorted(newestFirst)
}
