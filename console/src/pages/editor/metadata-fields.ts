import type { EntryType } from '../../api/entry-type.ts'

/** A field of a type's metadata with one value, and the control by which people enter it. */
export interface PlainField {
  readonly name: string
  readonly kind: 'line' | 'lines' | 'tags' | 'number' | 'time' | 'flag' | 'choice' | 'free' | 'entry'
  readonly isNeeded?: true
  readonly choices?: readonly string[]
}

/** A field with several rows: each has several fields, or is one text. */
export interface RowsField {
  readonly name: string
  readonly kind: 'rows' | 'texts'
  readonly isNeeded?: true
  /** Fields of a row; absent for rows that are texts. */
  readonly columns?: readonly PlainField[]
}

export type MetadataField = PlainField | RowsField

/**
 * Fields of each type's metadata. Their order and controls are chosen by hand; a test compares the fields with the
 * schemas of the service.
 */
export const METADATA_FIELDS: Readonly<Record<Exclude<EntryType, 'knowledge'>, readonly MetadataField[]>> = {
  skill: [
    { name: 'steps', kind: 'texts', isNeeded: true },
    { name: 'trigger', kind: 'line' },
    { name: 'outcome', kind: 'line' },
    { name: 'tools', kind: 'tags' },
    { name: 'difficulty', kind: 'choice', choices: ['beginner', 'intermediate', 'advanced'] },
  ],
  process: [
    {
      name: 'steps',
      kind: 'rows',
      isNeeded: true,
      columns: [
        { name: 'title', kind: 'line', isNeeded: true },
        { name: 'description', kind: 'lines' },
        { name: 'role', kind: 'line' },
        { name: 'duration_minutes', kind: 'number' },
      ],
    },
    { name: 'owner', kind: 'line' },
    { name: 'frequency', kind: 'line' },
    { name: 'inputs', kind: 'tags' },
    { name: 'outputs', kind: 'tags' },
  ],
  glossary: [
    { name: 'term', kind: 'line', isNeeded: true },
    { name: 'definition', kind: 'lines' },
    { name: 'synonyms', kind: 'tags' },
    { name: 'antonyms', kind: 'tags' },
    { name: 'abbreviation', kind: 'line' },
  ],
  memory: [
    { name: 'subject', kind: 'line' },
    { name: 'importance', kind: 'number' },
    { name: 'expires_at', kind: 'time' },
    { name: 'context', kind: 'free' },
  ],
  bootstrap: [
    { name: 'audience', kind: 'tags' },
    { name: 'priority', kind: 'number' },
    { name: 'always_load', kind: 'flag' },
  ],
  skill_index: [
    {
      name: 'skills',
      kind: 'rows',
      isNeeded: true,
      columns: [
        { name: 'name', kind: 'line', isNeeded: true },
        { name: 'entry_id', kind: 'entry', isNeeded: true },
        { name: 'summary', kind: 'line' },
        { name: 'trigger', kind: 'line' },
      ],
    },
  ],
}
