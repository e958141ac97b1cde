import type { RawBuilder } from 'kysely'
import type { DialectName } from '../../portable.ts'

type StatementList = readonly RawBuilder<unknown>[]

/**
 * Returns the statements that create the tables of a domain and their indexes, in the order in which they have to run.
 */
export type Statements = (dialect: DialectName) => StatementList

/**
 * Returns the statements if the database is of one kind, and none otherwise.
 * @param only kind that needs the statements
 */
export function onlyOn(only: DialectName, dialect: DialectName, statements: StatementList): StatementList {
  return only === dialect ? statements : []
}
