import { isUuid } from './formats.ts'

/** An object whose fields nobody has checked, such as a body that breaks its contract. */
export type Unchecked = Readonly<Record<string, unknown>>

/** No contract takes more ids in a list; a longer one is refused as such, and its items are not looked at. */
const IDS_MAX = 500

export function isUnchecked(value: unknown): value is Unchecked {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The id that a value is, in lower case; null when it is none. */
export function idIn(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
}

/** The ids of a list in a body, each in its place; null in the place of what is none. */
export function idsIn(body: unknown, field: string): (string | null)[] {
  const list = isUnchecked(body) ? body[field] : null
  return Array.isArray(list) && list.length <= IDS_MAX ? list.map(idIn) : []
}
