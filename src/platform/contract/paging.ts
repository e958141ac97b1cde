import type { PageOf } from '../database/page.ts'
import type { ListPosition } from '../database/walk.ts'
import { invalid, type Fault } from '../faults.ts'
import { Int, type Static, Type } from './schema.ts'
import { isSoundText } from './text-faults.ts'

/** Most characters of a cursor: room for a name of 200 characters, up to six bytes each as JSON, in base64. */
const CURSOR_CHARACTERS_MAX = 4_000

/** Rows of a page unless the query says otherwise. */
const LIMIT_DEFAULT = 1_000

/** Query parameters of every list with pages. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Int({ minimum: 1, maximum: 1_000, default: LIMIT_DEFAULT })),
  cursor: Type.Optional(
    Type.String({ maxLength: CURSOR_CHARACTERS_MAX, description: 'From the Link header of the page before' }),
  ),
})
export type PageQuery = Static<typeof PageQuery>

export type CursorValue = string | number | null
/** Type of a value in a cursor. An integer fits a 64-bit database column; `?` allows null. */
type CursorType = 'string' | 'number' | 'integer' | 'string?' | 'number?'
type ValueOf<T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'string?'
      ? string | null
      : number | null
type CursorTuple<T extends readonly CursorType[]> = { -readonly [K in keyof T]: ValueOf<T[K]> }

/** Encodes the sort key of a page's last row as an opaque token. */
export function encodeCursor(key: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/**
 * Decodes a cursor. Only its types are checked: a cursor grants no access, it only says where the next page begins.
 * @throws Fault 422 `cursor_invalid` at query.cursor
 */
export function decodeCursor<const T extends readonly CursorType[]>(cursor: string, types: T): CursorTuple<T> {
  if (cursor.length > CURSOR_CHARACTERS_MAX || !/^[\w-]+$/.test(cursor)) throw malformed()
  let key: unknown
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw malformed()
  }
  if (!Array.isArray(key) || key.length !== types.length) throw malformed()
  if (!types.every((type, i) => fits(key[i], type))) throw malformed()
  return key as CursorTuple<T>
}

/** Returns the page that a query asks for. @throws Fault like `decodeCursor` */
export function pageIn<const T extends readonly CursorType[]>(
  { limit = LIMIT_DEFAULT, cursor }: PageQuery,
  types: T,
): { limit: number; after: CursorTuple<T> | null } {
  return { limit, after: cursor === undefined ? null : decodeCursor(cursor, types) }
}

/** Returns the page that a query asks for, in a list that is newest first. @throws Fault like `decodeCursor` */
export function newestPageIn(query: PageQuery): PageOf<ListPosition> {
  const { limit, after: place } = pageIn(query, ['integer', 'string'])
  return { limit, after: place === null ? null : { createdAt: place[0], id: place[1] } }
}

function fits(value: unknown, type: CursorType): boolean {
  if (value === null) return type.endsWith('?')
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type.startsWith('number')) return typeof value === 'number' && Number.isFinite(value)
  return typeof value === 'string' && isSoundText(value)
}

function malformed(): Fault {
  return invalid(['query', 'cursor'], 'cursor_invalid', 'Input should be a cursor from a previous answer')
}

/**
 * Returns the Link header (RFC 8288) to the next page. The link is relative, so it works at the shared address, at a
 * tenant's own host and behind any proxy.
 */
export function nextLink(requestUrl: string, cursor: string): string {
  const question = requestUrl.indexOf('?')
  const path = question < 0 ? requestUrl : requestUrl.slice(0, question)
  const query = new URLSearchParams(question < 0 ? '' : requestUrl.slice(question + 1))
  query.set('cursor', cursor)
  return `<${path}?${query.toString()}>; rel="next"`
}
