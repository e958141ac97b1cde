import type { ProductRow } from '../../platform/database/tables.ts'
import { WRITTEN_FIELDS } from './contract.ts'
import type { ProductDraft } from './draft.ts'

/** Fields whose loss is worth telling, by name: without the hash, which a push without one always clears. */
const FIELDS = (Object.keys(WRITTEN_FIELDS) as (keyof typeof WRITTEN_FIELDS)[])
  .filter((name) => name !== 'sync_hash')
  .toSorted()

/** Fields with members that the shop names. */
const OBJECTS: ReadonlySet<string> = new Set(['attributes', 'properties'])

/** Values of columns that stand for nothing. Flags and counts always have a value. */
const EMPTY: ReadonlySet<unknown> = new Set([null, '', '[]', '{}'])

/** Most members that are named, and most characters of a member's name; longer ones are left out, not cut. */
const MEMBERS_MAX = 100
const NAME_CHARACTERS_MAX = 100

/** Most characters that members may take in a header; proxies take 4 kB of headers and more. */
const HEADER_CHARACTERS_MAX = 2_000

/**
 * Returns what a stored product has and the whole product that replaces it lacks: fields by name, and of an object that
 * keeps other members those that are gone, such as `properties.size`.
 */
export function clearedFields(before: ProductRow, draft: ProductDraft): string[] {
  const cleared: string[] = []
  let room = MEMBERS_MAX
  for (const field of FIELDS) {
    if (before[field] === draft[field] || EMPTY.has(before[field])) continue
    if (EMPTY.has(draft[field])) cleared.push(field)
    else if (OBJECTS.has(field)) {
      const names = clearedMembers(before[field] as string, draft[field] as string).slice(0, room)
      room -= names.length
      for (const name of names) cleared.push(`${field}.${name}`)
    }
  }
  return cleared
}

/** Returns what was cleared as the value of a header. Names of members are percent-encoded; those without room miss. */
export function clearedHeader(cleared: readonly string[]): string {
  let room = HEADER_CHARACTERS_MAX
  const parts = cleared.flatMap((name) => {
    const dot = name.indexOf('.')
    if (dot === -1) return [name]
    const part = `${name.slice(0, dot)}.${encodeURIComponent(name.slice(dot + 1).toWellFormed())}`
    room -= part.length
    return room < 0 ? [] : [part]
  })
  return parts.join(', ')
}

/** @param before,draft texts of JSON objects */
function clearedMembers(before: string, draft: string): string[] {
  const after = new Map(Object.entries(JSON.parse(draft) as object))
  return Object.entries(JSON.parse(before) as object)
    .filter(([name, value]) => name.length <= NAME_CHARACTERS_MAX && !isEmpty(value) && isEmpty(after.get(name)))
    .map(([name]) => name)
    .toSorted()
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
