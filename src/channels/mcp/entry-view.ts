import type { Entry } from '../../knowledge/entries/contract.ts'
import { Entry as EntryContract } from '../../knowledge/entries/contract.ts'
import { Int, Nullable, Type } from '../../platform/contract/schema.ts'
import { excerpt } from './budget.ts'
import { Watermark } from './writes-seen.ts'

/** Returns the address of the MCP resource for an entry. */
export function entryUri(id: string): string {
  return `knowledge://entries/${id}`
}

const TITLE_CHARACTERS = 300
/** Innermost names of a category's path that an answer has, and the characters of each. */
const PATH_LEVELS = 5
const PATH_CHARACTERS = 50
const URL_CHARACTERS = 250
const { id, type, visibility, category_id, language, version, created_at, updated_at } = EntryContract.properties

/** Fields of an entry in every answer. */
export const EntryBrief = {
  id,
  title: Type.String(),
  type,
  visibility,
  category_id,
  language,
  version,
  updated_at,
  uri: Type.String(),
  url: Type.Optional(Type.String()),
}

/** Answer to a write. Without `knowledge:read` the answer to an update has only the id, the address and the watermark. */
export const EntryWritten = {
  id,
  version: Type.Optional(version),
  uri: EntryBrief.uri,
  title: Type.Optional(Type.String()),
  type: Type.Optional(type),
  visibility: Type.Optional(visibility),
  category_id: Type.Optional(category_id),
  language: Type.Optional(language),
  created_at: Type.Optional(created_at),
  updated_at: Type.Optional(updated_at),
  url: EntryBrief.url,
  watermark: Watermark,
}

/** Says what an answer left out to stay within its budget. */
export const LeftOut = Nullable(Type.String(), {
  description: 'What did not fit and how to get it. Null: everything fitted',
})
/** Where a text or list continues; null at its end. */
export const NextOffset = Nullable(Int({ minimum: 0 }), { description: 'Call again with this offset for more' })

/** Returns an entry without its content, as lists and search show it. */
export function briefOf(entry: Entry) {
  return {
    id: entry.id,
    title: titleOf(entry.title),
    type: entry.type,
    visibility: entry.visibility,
    category_id: entry.category_id,
    language: entry.language,
    version: entry.version,
    updated_at: entry.updated_at,
    uri: entryUri(entry.id),
    // A longer address would use up a small budget. get_entry has every address.
    ...(entry.url === undefined || entry.url.length > URL_CHARACTERS ? {} : { url: entry.url }),
  }
}

/** Returns the names on the way to an entry's category, each cut so that a long path leaves room for other fields. */
export function pathOf({ category_path: path }: Entry): { category_path?: string[] } {
  return path === undefined
    ? {}
    : { category_path: path.slice(-PATH_LEVELS).map((name) => excerpt(name, PATH_CHARACTERS)) }
}

/** Returns the line that an entry is cited by; null without an address and a path. */
export function citationOf({ url, category_path: path }: Pick<Entry, 'url' | 'category_path'>): string | null {
  const parts = [
    ...(url === undefined ? [] : [`url: ${url}`]),
    ...(path === undefined ? [] : [`category: ${path.join(' / ')}`]),
  ]
  return parts.length === 0 ? null : `   ${parts.join(', ')}`
}

/** Cuts a title so that it cannot use up the budget of an answer. */
export function titleOf(title: string): string {
  return excerpt(title, TITLE_CHARACTERS)
}

/** Returns the heading of an entry in a list: two lines, enough to decide whether to read the entry. */
export function headingOf(entry: Entry): string {
  const facts = [entry.type, entry.language, entry.visibility, `changed ${entry.updated_at.slice(0, 10)}`]
  return `${titleOf(entry.title)} (${facts.join(', ')})\n   entry_id: ${entry.id}`
}

/** Returns the summary of an entry, or its content if the summary is empty. */
export function summaryOf({ summary, content }: Entry): string {
  return summary === null || summary === '' ? content : summary
}
