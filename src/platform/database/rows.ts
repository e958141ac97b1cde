import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Whether a query finds any row. The query must have no select list yet. */
export async function findsAny<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<boolean> {
  const row = await query.select(sql.lit(1).as('found')).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Whether a row's columns equal the given values. Undefined values are ignored. */
export function hasValues<Table extends keyof Tables>(
  table: Table,
  values: { readonly [Column in keyof Tables[Table]]?: string | number },
): RawBuilder<boolean> {
  const named = Object.entries(values).filter(([, value]) => value !== undefined)
  const equal = named.map(([column, value]) => sql`${sql.ref(`${table}.${column}`)} = ${value}`)
  return equal.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(equal, sql` and `)})`
}

/** Whether a language tag has this primary subtag: `de` is also `de-AT`. */
export function isInLanguage(tag: Expression<string>, primary: string): RawBuilder<boolean> {
  return sql<boolean>`(${tag} = ${primary} or ${tag} like ${`${primary}-%`})`
}
