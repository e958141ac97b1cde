import type { EntryType } from '../i18n/words.ts'

/** The types of entries, the most common first. */
export const ENTRY_TYPES = [
  'knowledge',
  'process',
  'glossary',
  'skill',
  'memory',
  'bootstrap',
  'skill_index',
] as const satisfies readonly EntryType[]

export const isEntryType = (name: string): name is EntryType => (ENTRY_TYPES as readonly string[]).includes(name)
