import { causesOf } from './causes.ts'
import { isDamageCode } from './damage.ts'
import { isRefusal } from './refusal.ts'
import { Fault, Outage, unavailable } from './faults.ts'

/** SQLite result codes, extended ones by their prefix. https://www.sqlite.org/rescode.html */
const SQLITE_UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|READONLY|CANTOPEN|IOERR_(?:NOMEM|BLOCKED)|NOMEM|PROTOCOL|INTERRUPT)/

/**
 * SQLSTATEs of PostgreSQL: connection exceptions (08), insufficient resources (53) except a full disk, operator
 * intervention (57P), cancelled for time (57014), lost races (40001, 40P01), locks (55P03), read-only (25006).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const POSTGRES_UNAVAILABLE = /^(?:08...|53[023]..|57P..|57014|40001|40P01|55P03|25006)$/
const POSTGRES_DISK_FULL = '53100'

const SYSTEM_UNAVAILABLE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EIO|EROFS|EMFILE|ENFILE)$/
const DISK_FULL = new Set(['SQLITE_FULL', POSTGRES_DISK_FULL, 'ENOSPC', 'EDQUOT'])

/** Messages of the pg driver for a lost connection, which have no code. */
const DRIVER_UNAVAILABLE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout)/

/**
 * Returns the fault for an error that the caller did not cause: 503 when storage, the search engine or the embedding
 * provider cannot answer now, 507 when the disk or a tenant's share of the search memory is full, 500 when stored data
 * are damaged or the disk fails. Null for other errors.
 */
export function faultOf(error: unknown): Fault | null {
  for (const cause of causesOf(error)) {
    if (cause instanceof Fault) return cause
    const fault = faultOfOne(cause, error)
    if (fault !== null) return fault
  }
  return null
}

/** The damage is logged once, where it is met (`telemetry/damage-watch.ts`), and not by every request. */
const DAMAGED = {
  loc: [],
  msg: 'Storage is damaged or its disk fails; trying again does not help, tell the operator',
  type: 'storage_damaged',
}

/** Returns the fault for one error of the chain. @param cause the whole error, for the log */
function faultOfOne(error: Error, cause: unknown): Fault | null {
  if (error instanceof Outage) return error.toFault(cause)
  const code: unknown = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (isDamageCode(code)) return new Fault('storage_damaged', [DAMAGED], { isLogged: true, cause })
    if (DISK_FULL.has(code)) {
      const detail = { loc: [], msg: 'Storage is full, nothing was changed', type: 'storage_full' }
      return new Fault('storage_full', [detail], { cause })
    }
    if (SQLITE_UNAVAILABLE.test(code) || POSTGRES_UNAVAILABLE.test(code) || SYSTEM_UNAVAILABLE.test(code)) {
      return unavailable('Storage', 1, cause)
    }
  }
  const isUnavailable = isRefusal(error) || DRIVER_UNAVAILABLE.test(error.message)
  return isUnavailable ? unavailable('Storage', 1, cause) : null
}
