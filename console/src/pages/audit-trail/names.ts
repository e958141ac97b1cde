import type { AuditRecord } from './queries.ts'
import type { AuditWords } from './words.ts'

/** Returns a word of the service in people's words; a new word as it is. */
export const wordFor = (names: Readonly<Record<string, string>>, word: string): string => names[word] ?? word

/** Returns in words who did the action of a record without a known person. */
export function strangerOf({ user_id: id, source }: AuditRecord, words: AuditWords): string {
  if (id !== null) return words.unknownPerson
  if (source === 'cli') return words.noPerson.cli
  return source === 'service' ? words.noPerson.service : words.noPerson.other
}

interface Change {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the changes of settings that a record has; none for other records. */
export function changesIn({ details }: AuditRecord): readonly Change[] {
  const changes = (details as { changes?: Record<string, { before?: unknown; after?: unknown }> } | null)?.changes ?? {}
  return Object.entries(changes).map(([name, { before, after }]) => ({ name, before, after }))
}
