import { differingNames, type EntryFields } from '../../api/entry-fields.ts'

/**
 * Merges two changes of the same state: a field that one side changed has that side's value; one that both changed has
 * the value of `mine`.
 */
export function merged(base: EntryFields, mine: EntryFields, theirs: EntryFields): EntryFields {
  const own = differingNames(base, mine)
  return { ...theirs, ...Object.fromEntries(own.map((name) => [name, mine[name]])) }
}
