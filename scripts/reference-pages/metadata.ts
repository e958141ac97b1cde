import { ENTRY_TYPES, type EntryType } from '../../src/knowledge/entries/kinds.ts'
import {
  METADATA_BYTES_MAX,
  METADATA_DEPTH_MAX,
  METADATA_SCHEMAS,
} from '../../src/knowledge/entries/metadata/metadata.ts'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import { fieldsOf, limitWords, typeWords } from '../../src/platform/contract/schema-words.ts'
import { page, table } from './markdown.ts'

interface TypeWords {
  readonly about: string
  readonly example: Readonly<Record<string, unknown>>
}

/** Purpose of each entry type, with an example of its metadata. */
export const TYPES: Readonly<Record<EntryType, TypeWords>> = {
  knowledge: {
    about: 'An article. The service stores the metadata as it is and does not check it.',
    example: { department: 'Service', reviewed: '2026-11-01' },
  },
  skill: {
    about: 'How something is done. Assistants are offered it as a prompt.',
    example: {
      trigger: 'A customer sends a parcel back',
      steps: ['Look up the order', 'Print the label', 'Send the refund'],
      tools: ['search_products'],
      difficulty: 'beginner',
    },
  },
  process: {
    about: 'A process of the organisation: its steps, who does them, what goes in and what comes out.',
    example: {
      owner: 'Head of purchasing',
      frequency: 'monthly',
      steps: [{ title: 'Count the stock', role: 'Warehouse', duration_minutes: 90 }],
    },
  },
  glossary: {
    about: 'A term. Search finds the entry by the term and by each synonym.',
    example: { term: 'RMA', definition: 'Number of a return', synonyms: ['return number'] },
  },
  memory: {
    about: 'What an assistant remembers. It may expire.',
    example: { subject: 'Ann', importance: 0.8, expires_at: '2030-01-01T00:00:00Z' },
  },
  bootstrap: {
    about: 'What an assistant loads when it begins. Assistants are offered it as a prompt, before the skills.',
    example: { priority: 1, audience: ['support'], always_load: true },
  },
  skill_index: {
    about: 'A list of skills.',
    example: { skills: [{ entry_id: '01a1fc48-156b-7507-8b3c-b0116ce75ce1', name: 'Returns' }] },
  },
}

/** Returns the page on the metadata of entries, by type. */
export function renderMetadataPage(): string {
  return page(
    '# Metadata of entries',
    'This page is generated from the schemas; do not edit it.',
    'An entry has a `type`, and the type decides which fields its `metadata` may have. The type of an entry never ' +
      'changes. A field that is not listed is refused with 422, except in `knowledge` entries. Metadata has at most ' +
      `${METADATA_BYTES_MAX / 1024} KiB as JSON and ${METADATA_DEPTH_MAX} levels of objects and lists. Spaces around ` +
      'texts are cut off, except in `knowledge` metadata and in `context`; a field with a default is filled in.',
    ...ENTRY_TYPES.flatMap(section),
  )
}

function section(type: EntryType): string[] {
  const { about, example } = TYPES[type]
  const rows = rowsOf(METADATA_SCHEMAS[type] as Schema)
  const fields = rows.length === 0 ? 'Any fields.' : table(['Field', 'Type', 'Required', 'Notes'], rows)
  return [`## ${type}`, about, fields, ['```json', JSON.stringify(example, null, 2), '```'].join('\n')]
}

/** Returns one row for each field. The fields of objects in a list follow the list, such as `steps[].title`. */
function rowsOf(schema: Schema, prefix = ''): string[][] {
  return fieldsOf(schema).flatMap(({ name, isRequired, schema: field }) => {
    const about = typeof field.description === 'string' ? [field.description] : []
    const notes = [...about, ...limitWords(field).filter((word) => !/^(each )?at least 1 character$/.test(word))]
    const path = `${prefix}${name}`
    return [
      [`\`${path}\``, typeWords(field, String), isRequired ? 'yes' : 'no', notes.join('; ')],
      ...rowsOf((field.items ?? {}) as Schema, `${path}[].`),
    ]
  })
}
