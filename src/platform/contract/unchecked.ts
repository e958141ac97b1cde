import { isUuid } from './formats.ts'

/** An object with unchecked fields, such as a body that breaks its contract. */
export type Unchecked = Readonly<Record<string, unknown>>

/** Most ids that any contract takes in a list. A longer list is not read. */
const IDS_MAX = 500

export function isUnchecked(value: unknown): value is Unchecked {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns the value as an id in lower case; null when it is not a UUID. */
export function idIn(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
}

/** Returns the ids of a list in a body, each at its position; null where an item is not a UUID. */
export function idsIn(body: unknown, field: string): (string | null)[] {
  const list = isUnchecked(body) ? body[field] : null
  return Array.isArray(list) && list.length <= IDS_MAX ? list.map(idIn) : []
}
