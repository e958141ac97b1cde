import type { Config } from '../../../config.ts'
import type { Database } from '../../../platform/database/database.ts'

type Verdict = 'ok' | 'warn' | 'fail'

/** What one check found; what is not ok says what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly text: string
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text })
export const warn = (text: string): Finding => ({ verdict: 'warn', text })
export const fail = (text: string): Finding => ({ verdict: 'fail', text })

/** A finding as a line of the report. */
export function lineOf(name: string, { verdict, text }: Finding): string {
  return `${verdict.padEnd(4)}  ${name.padEnd(10)}  ${text}`
}

/** A check of the machine and the settings; it needs no database. */
export type PlaceCheck = (config: Config) => Promise<Finding>
/** A check of the database, which answers and has a schema this program knows. */
export type DatabaseCheck = (database: Database, config: Config) => Promise<Finding | readonly Finding[]>
