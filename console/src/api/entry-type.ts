/** The types of entries, the most common first. */
export const ENTRY_TYPES = ['knowledge', 'process', 'glossary', 'skill', 'memory', 'bootstrap', 'skill_index'] as const

export type EntryType = (typeof ENTRY_TYPES)[number]

export const isEntryType = (name: string): name is EntryType => (ENTRY_TYPES as readonly string[]).includes(name)
