import { isDeepStrictEqual } from 'node:util'

/** What a change set, for the audit record: each field that differs, before and after. */
type Changes = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>

/** The fields of two states of the same settings that differ. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]))
}
