import type { Config } from '../../../config.ts'
import type { Database } from '../../../platform/database/database.ts'

type Verdict = 'ok' | 'warn' | 'fail'

/** The result of a check. The text of a warning or failure says what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly text: string
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text })
export const warn = (text: string): Finding => ({ verdict: 'warn', text })
export const fail = (text: string): Finding => ({ verdict: 'fail', text })

/** Writes a finding as a line of the report. */
export function lineOf(name: string, { verdict, text }: Finding): string {
  return `${verdict.padEnd(4)}  ${name.padEnd(10)}  ${text}`
}

/** A check of the machine and the settings, without the database. */
export type PlaceCheck = (config: Config) => Promise<Finding>
/** A check of the database. It runs only if the database answers and its schema is known. */
export type DatabaseCheck = (database: Database, config: Config) => Promise<Finding | readonly Finding[]>
