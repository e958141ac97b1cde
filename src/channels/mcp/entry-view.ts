import type { Entry } from '../../knowledge/entries/contract.ts'
import { Entry as EntryContract } from '../../knowledge/entries/contract.ts'
import { Int, Nullable, Type } from '../../platform/contract/schema.ts'
import { excerpt } from './budget.ts'

/** The address of an entry as a resource. */
export function entryUri(id: string): string {
  return `knowledge://entries/${id}`
}

const TITLE_CHARACTERS = 300
const { id, type, visibility, category_id, language, version, created_at, updated_at } = EntryContract.properties

/** What every answer says of an entry, whatever else it says. */
export const EntryBrief = {
  id,
  title: Type.String(),
  type,
  visibility,
  category_id,
  language,
  version,
  updated_at,
  uri: Type.String({ description: 'Of the entry as a resource' }),
}

/** Of a write: without `knowledge:read` an update tells no more than id and address. */
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
}

/** Says in words what an answer leaves out to keep to its budget; null when nothing. */
export const LeftOut = Nullable(Type.String(), {
  description: 'What did not fit, and how to get it; null when nothing',
})
/** Where a text or list goes on; null at its end. */
export const NextOffset = Nullable(Int({ minimum: 0 }), { description: 'Call again with this offset for more' })

/** An entry without its content, as lists and search show it. */
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
  }
}

/** A title that cannot fill an answer on its own. */
export function titleOf(title: string): string {
  return excerpt(title, TITLE_CHARACTERS)
}

/** The heading of an entry in a list: everything that is needed to decide whether to read it, on two lines. */
export function headingOf(entry: Entry): string {
  const facts = [entry.type, entry.language, entry.visibility, `changed ${entry.updated_at.slice(0, 10)}`]
  return `${titleOf(entry.title)} (${facts.join(', ')})\n   entry_id: ${entry.id}`
}

/** What an entry is about: its summary, or the content where it has none. */
export function summaryOf({ summary, content }: Entry): string {
  return summary === null || summary === '' ? content : summary
}
