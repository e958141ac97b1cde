import type { Queries } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { OperatorLogRow } from '../../platform/database/tables.ts'
import { NO_TENANT } from '../tenants/realm.ts'
import * as store from './store.ts'

/** Place of a row in the audit log of the installation; `at` in milliseconds since 1970. */
export type LogPlace = readonly [at: number, id: string]

/** Row of the audit log of the installation. */
interface Operation extends OperatorLogRow {
  /** Name of the operator who acted; null for the command line. */
  readonly operator_name: string | null
}

/** Returns a page of the audit log of the installation, newest first. */
export async function pageOfLog(db: Queries, page: PageOf<LogPlace>): Promise<Page<Operation, LogPlace>> {
  const { items, next } = await readPage(
    NO_TENANT,
    page,
    (after, limit) => store.listLog(db, after, limit),
    ({ at, id }): LogPlace => [at, id],
  )
  const names = new Map((await store.listOperators(db)).map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return { items: items.map((row) => ({ ...row, operator_name: nameOf(row.operator_id) })), next }
}
