import { isDeepStrictEqual } from 'node:util'

/** Content of an audit record of a change: each field that differs, before and after. */
type Changes = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>

/** Returns the fields in which two states of the same settings differ. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]))
}
