import type { AuditRecord } from './queries.ts'
import type { AuditWords } from './words.ts'

/** A word of the service in people's words; one that is new is shown as it is. */
export const named = (names: Readonly<Record<string, string>>, word: string): string => names[word] ?? word

/** Who did it, where no person did or none is known any more. */
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

/** The changes of settings that a record tells; empty for everything else. */
export function changesIn({ details }: AuditRecord): readonly Change[] {
  const changes = (details as { changes?: Record<string, { before?: unknown; after?: unknown }> } | null)?.changes ?? {}
  return Object.entries(changes).map(([name, { before, after }]) => ({ name, before, after }))
}
