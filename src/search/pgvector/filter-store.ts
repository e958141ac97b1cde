/** Turns filters into conditions on a replica's documents, which statements call `d`. */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Filter, IndexDefinition } from '../engine.ts'
import { isProperty } from '../indexing/property-values.ts'
import { keyOf, presenceOf } from './keys.ts'
import { numberColumn } from './tables-store.ts'

export type Condition = RawBuilder<SqlBool>

/** Returns the condition of a filter, which is never null. @param filter checked against the definition before */
export function conditionOf(definition: IndexDefinition, filter: Filter): Condition {
  if ('field' in filter) {
    const keys = filter.anyOf.map((value) => keyOf(filter.field, value))
    return keys.length === 0 ? sql`false` : sql`d.keys && ${keys}::text[]`
  }
  if ('number' in filter) {
    const number = numberOf(definition, filter.number)
    if ('anyOf' in filter) return sql`coalesce(${number} = any(${filter.anyOf.map(String)}::float8[]), false)`
    const above = filter.above === null ? sql`true` : sql`${number} > ${filter.above}::float8`
    const below = filter.below === null ? sql`true` : sql`${number} <= ${filter.below}::float8`
    return sql`case when ${number} is null then ${filter.orMissing}::bool else ${above} and ${below} end`
  }
  if ('present' in filter) return sql`d.keys && ${[presenceOf(filter.present)]}::text[]`
  if ('all' in filter) return joined(definition, filter.all, 'and')
  if ('any' in filter) return joined(definition, filter.any, 'or')
  return sql`not ${conditionOf(definition, filter.not)}`
}

/** The condition that every document matches. */
export const EVERYTHING: Condition = sql`true`

/** Returns the condition of documents that match all conditions. */
export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? EVERYTHING : sql`(${sql.join(conditions, sql` and `)})`
}

/** Returns the condition of documents that match any of the conditions. */
export function any(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

/** Returns the number of a document's field or property; null without one. */
export function numberOf(definition: IndexDefinition, name: string): RawBuilder<number | null> {
  return isProperty(name)
    ? sql`(d.amounts ->> ${name})::float8`
    : sql`${sql.ref(`d.${numberColumn(definition, name)}`)}`
}

function joined(definition: IndexDefinition, filters: readonly Filter[], word: 'and' | 'or'): Condition {
  const conditions = filters.map((filter) => conditionOf(definition, filter))
  return word === 'and' ? all(conditions) : any(conditions)
}
