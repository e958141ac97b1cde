import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Tells whether a query finds any row. The query must have no select list yet. */
export async function findsAny<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<boolean> {
  const row = await query.select(sql.lit(1).as('found')).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns the condition that a row's columns equal some values. Undefined values are ignored. */
export function hasValues<Table extends keyof Tables>(
  table: Table,
  values: { readonly [Column in keyof Tables[Table]]?: string | number },
): RawBuilder<boolean> {
  const named = Object.entries(values).filter(([, value]) => value !== undefined)
  const equal = named.map(([column, value]) => sql`${sql.ref(`${table}.${column}`)} = ${value}`)
  return equal.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(equal, sql` and `)})`
}

/** Returns the condition that a language tag has a primary subtag: `de-AT` has `de`. */
export function isInLanguage(tag: Expression<string>, primary: string): RawBuilder<boolean> {
  return sql<boolean>`(${tag} = ${primary} or ${tag} like ${`${primary}-%`})`
}
