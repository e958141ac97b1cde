import { mayReadBack } from '../../../platform/access/read-back.ts'
import { EntryCreate, EntryUpdate, PersonalEntryCreate } from '../../../knowledge/entries/contract.ts'
import type { Entry } from '../../../knowledge/entries/contract.ts'
import type { EntryRules, ExpectedVersion } from '../../../knowledge/entries/rules.ts'
import { Int, Type, Uuid } from '../../../platform/contract/schema.ts'
import { briefOf, entryUri, EntryWritten } from '../entry-view.ts'
import { ADDS, CHANGES, defineTool, DELETES, type Tool, type ToolAnswer } from '../tool.ts'

const ExpectedVersionField = Type.Optional(
  Int({ minimum: 1, description: "Refuse unless the entry still has this version, so that nobody's change is lost" }),
)

export function createEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'create_entry',
    title: 'Create an entry',
    description:
      'Writes a new entry. Its visibility decides who can find it. Search first: there may be an entry to update. ' +
      'Get the category from list_categories. For a private note use create_personal_note.',
    scopes: ['knowledge:write'],
    hints: ADDS,
    input: EntryCreate.properties,
    output: EntryWritten,
    run: async (caller, input) => written('Created', await entries.create(caller, input)),
    furtherFaults: (caller, given) => entries.faultsOfNew(caller, given),
  })
}

export function createPersonalNote(entries: EntryRules): Tool {
  return defineTool({
    name: 'create_personal_note',
    title: 'Create a private note',
    description: 'Writes a note that only the user will ever see.',
    scopes: ['knowledge:personal'],
    hints: ADDS,
    input: PersonalEntryCreate.properties,
    output: EntryWritten,
    run: async (caller, input) => written('Created', await entries.createPersonal(caller, input)),
    furtherFaults: (caller, given) => entries.faultsOfPersonal(caller, given),
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
    input: { entry_id: Uuid(), expected_version: ExpectedVersionField, ...EntryUpdate.properties },
    output: EntryWritten,
    run: async (caller, { entry_id: id, expected_version: version, ...patch }) => {
      const entry = await entries.update(caller, id, patch, expecting(version))
      // As on the route: the other fields would tell the caller what is stored, and the version whether it changed.
      if (mayReadBack(caller)) return written('Changed', entry)
      return { structured: { id, uri: entryUri(id) }, text: `Stored entry ${id} with your changes.` }
    },
    furtherFaults: (caller, given) => entries.faultsOfChange(caller, given.entry_id, given),
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

function expecting(expected: number | undefined): ExpectedVersion {
  return expected === undefined ? null : (version) => version === expected
}

function written(what: string, entry: Entry): ToolAnswer {
  const brief = briefOf(entry)
  const { id, version, type, visibility } = brief
  return {
    structured: { ...brief, created_at: entry.created_at },
    text: `${what} ${type} entry ${id}, version ${version}, visibility ${visibility}: ${brief.title}`,
  }
}
