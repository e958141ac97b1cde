export const ENTRY_TYPES = ['knowledge', 'skill', 'process', 'glossary', 'memory', 'bootstrap', 'skill_index'] as const

export type EntryType = (typeof ENTRY_TYPES)[number]

export const ENTRY_SOURCES = ['manual', 'import', 'conversational', 'learning_loop', 'system'] as const

export type EntrySource = (typeof ENTRY_SOURCES)[number]
