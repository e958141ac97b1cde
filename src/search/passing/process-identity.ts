import { createHash, randomUUID } from 'node:crypto'
import type { IndexDefinition } from '../engine.ts'
import type { ProcessIdentity } from './frames.ts'

/**
 * Number of the messages between processes, changed by hand: a change of a search, of its answer or of how either is
 * written takes the next one, so that no process gets a message that it reads otherwise than the sender.
 * `passing-form.test.ts` fails where that was forgotten.
 */
export const PASSING_NUMBER = 2

/**
 * Returns the identity by which other processes know this one. Searches name fields of indexes, so processes whose
 * indexes differ count as having other messages.
 */
export function processIdentity(definitions: readonly IndexDefinition[]): ProcessIdentity {
  const form = createHash('sha256')
    .update(JSON.stringify([PASSING_NUMBER, definitions]))
    .digest('hex')
  return { form, instance: randomUUID() }
}
