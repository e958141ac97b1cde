import { mayReadBack } from '../../../platform/access/read-back.ts'
import { EntryCreate, EntryUpdate, PersonalEntryCreate } from '../../../knowledge/entries/contract.ts'
import type { Entry } from '../../../knowledge/entries/contract.ts'
import type { EntryRules } from '../../../knowledge/entries/rules.ts'
import type { Expected } from '../../../platform/precondition.ts'
import { Int, Type, Uuid } from '../../../platform/contract/schema.ts'
import { briefOf, entryUri, EntryWritten } from '../entry-view.ts'
import { quoted } from '../quotes.ts'
import { ADDS, CHANGES, defineTool, DELETES, type Tool, type ToolAnswer } from '../tool.ts'
import type { WritesOfRequest } from '../writes-seen.ts'

const ExpectedVersionField = Type.Optional(Int({ minimum: 1 }))
/** Fields of every write that assistants hardly ever need. */
const RARE = ['layer', 'translation_group_id', 'workspace_id', 'source', 'source_reference', 'related_themes'] as const

type Rare<T> = Pick<T, (typeof RARE)[number] & keyof T>
type Usual<T> = Omit<T, (typeof RARE)[number]>

/** Splits the fields of a contract into the usual ones, which the list of tools shows, and the rare ones. */
function split<T extends object>(fields: T): { usual: Usual<T>; rare: Rare<T> } {
  const fieldList = Object.entries(fields)
  const isRare = ([name]: readonly [string, unknown]): boolean => (RARE as readonly string[]).includes(name)
  return {
    usual: Object.fromEntries(fieldList.filter((field) => !isRare(field))) as Usual<T>,
    rare: Object.fromEntries(fieldList.filter(isRare)) as Rare<T>,
  }
}

const creating = split(EntryCreate.properties)
const noting = split(PersonalEntryCreate.properties)
const { type: changedType, ...changed } = EntryUpdate.properties
const changing = split(changed)

export function createEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'create_entry',
    title: 'Create an entry',
    description:
      'Writes a new entry. Its visibility decides who can find it. Search first: there may be an entry to update. ' +
      'Get the category from list_categories. For a private note use create_personal_note.',
    scopes: ['knowledge:write'],
    hints: ADDS,
    input: creating.usual,
    unlisted: creating.rare,
    words: { visibility: 'Who may see it; a private note has its own tool' },
    output: EntryWritten,
    run: async (caller, input, watermarks) => written('Created', await entries.create(caller, input), watermarks),
    furtherFaults: (caller, raw) => entries.faultsOfNew(caller, raw),
  })
}

export function createPersonalNote(entries: EntryRules): Tool {
  return defineTool({
    name: 'create_personal_note',
    title: 'Create a private note',
    description: 'Writes a note that only the user will ever see.',
    scopes: ['knowledge:personal'],
    hints: ADDS,
    input: noting.usual,
    unlisted: noting.rare,
    words: { metadata: 'Any facts about it' },
    output: EntryWritten,
    run: async (caller, input, watermarks) =>
      written('Created', await entries.createPersonal(caller, input), watermarks),
    furtherFaults: (caller, raw) => entries.faultsOfPersonal(caller, raw),
  })
}

export function updateEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'update_entry',
    title: 'Change an entry',
    description:
      'Changes only the fields that you give; content replaces the whole content. The previous version is kept. ' +
      'Give the version you have read as expected_version.',
    scopes: ['knowledge:write'],
    hints: CHANGES,
    input: { entry_id: Uuid(), expected_version: ExpectedVersionField, ...changing.usual },
    unlisted: { ...changing.rare, type: changedType },
    words: { type: 'Refused: the type of an entry never changes' },
    output: EntryWritten,
    run: async (caller, { entry_id: id, expected_version: version, ...patch }, watermarks) => {
      const entry = await entries.update(caller, id, patch, expecting(version))
      // Other fields would tell a caller who may not read what is stored, and the version whether that changed.
      if (mayReadBack(caller)) return written('Changed', entry, watermarks)
      const structured = { id, uri: entryUri(id), watermark: watermarks.name() }
      return { structured, text: `Stored entry ${id} with your changes.` }
    },
    furtherFaults: (caller, raw) => entries.faultsOfChange(caller, raw.entry_id, raw),
  })
}

export function deleteEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'delete_entry',
    title: 'Delete an entry',
    description:
      'Deletes an entry with all its versions. Somebody can restore it from the bin for a while. Ask the user first.',
    scopes: ['knowledge:delete'],
    hints: DELETES,
    input: { entry_id: Uuid(), expected_version: ExpectedVersionField },
    output: { id: Uuid(), deleted: Type.Boolean() },
    run: async (caller, { entry_id: id, expected_version: version }) => {
      await entries.remove(caller, id, expecting(version))
      return { structured: { id, deleted: true }, text: `Deleted entry ${id}.` }
    },
  })
}

function expecting(expected: number | undefined): Expected<number> {
  return expected === undefined ? null : (version) => version === expected
}

function written(what: string, entry: Entry, watermarks: WritesOfRequest): ToolAnswer {
  const brief = briefOf(entry)
  const { id, version, type, visibility } = brief
  return {
    structured: { ...brief, created_at: entry.created_at, watermark: watermarks.name() },
    text: `${what} ${type} entry ${id}, version ${version}, visibility ${visibility}:\n${quoted(brief.title)}`,
  }
}
