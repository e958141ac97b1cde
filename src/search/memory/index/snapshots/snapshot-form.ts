import { endianness } from 'node:os'
import { ANALYSER_NUMBERS } from '../../../analysis/analyser-numbers.ts'
import type { IndexDefinition } from '../../../engine.ts'

/**
 * Number of the bytes behind the head of a snapshot: those that this folder and the columns of an index write. A change
 * of these bytes takes the next number. `test/durability/snapshot-form.test.ts` fails where that was forgotten.
 */
export const SNAPSHOT_FORMAT = 6

/**
 * Returns the form of snapshots of an index: everything that decides what is stored, besides the documents and their
 * model. A program reads snapshots of its own form alone, and builds the others again. The Unicode of Node is part of
 * it, since the analysis asks it for letters and their cases.
 */
export function snapshotForm(definition: IndexDefinition): string {
  const { unicode, icu } = process.versions
  const runtime = { unicode, icu, endianness: endianness() }
  return JSON.stringify({ format: SNAPSHOT_FORMAT, analysers: ANALYSER_NUMBERS, ...runtime, definition })
}
