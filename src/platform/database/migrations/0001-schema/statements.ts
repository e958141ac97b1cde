import type { RawBuilder } from 'kysely'
import type { DialectName } from '../../portable.ts'

type StatementList = readonly RawBuilder<unknown>[]

/** The statements that create the tables of a domain and their indexes, in the order in which they have to run. */
export type Statements = (dialect: DialectName) => StatementList

/** The statements where the database is of that kind, and none elsewhere. */
export function onlyOn(name: DialectName, dialect: DialectName, statements: StatementList): StatementList {
  return name === dialect ? statements : []
}
