import { differing, type EntryFields } from '../../api/entry-fields.ts'

/** What only one side changed counts; where both did, mine. */
export function merged(base: EntryFields, mine: EntryFields, theirs: EntryFields): EntryFields {
  const own = differing(base, mine)
  return { ...theirs, ...Object.fromEntries(own.map((name) => [name, mine[name]])) }
}
