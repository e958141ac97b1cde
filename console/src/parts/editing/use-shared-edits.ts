import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { differingFields, isSame } from './differing-fields.ts'
import type { Versioned } from '../../api/versioned.ts'

/** Most attempts to write: another person may write between a read and the write that follows it, more than once. */
const ATTEMPTS_MAX = 4

/** The fault that another person has set fields that were changed here too. */
class CollisionFault<T> extends Error {
  readonly theirs: Partial<T>

  constructor(theirs: Partial<T>) {
    super('Somebody else has changed the same')
    this.theirs = theirs
  }
}

/**
 * Keeps a person's changes of a stored thing that other people may change too, in a form without a state of its own. An
 * unchanged field follows the stored value, and is not sent. Before the thing is written it is read again: values that
 * others set in other fields stay, and where they set the same field to another value, nothing is written until the
 * person has decided. The write names the state that was read (If-Match).
 * @param options.stored fields as the page has them
 * @param options.write sends the changed fields of the present state, and its ETag
 * @param options.onCollision called when another person's change came first, to renew the page
 */
export function useSharedEdits<T extends object, Answer>(options: {
  readonly stored: T
  readonly read: () => Promise<Versioned<T>>
  readonly write: (changes: Partial<T>, present: Versioned<T>) => Promise<Answer>
  readonly onCollision?: () => void
}) {
  const { stored, read, write } = options
  const [typed, setTyped] = useState<Partial<T>>({})
  // Value of each field when the person began to change it; a renewal in the background must not replace it.
  const [baseline, setBaseline] = useState<Partial<T>>({})
  const [theirs, setTheirs] = useState<Partial<T> | null>(null)
  const edits = differingFields(typed, stored)
  const mutation = useMutation({
    mutationFn: async (changes: Partial<T>): Promise<Answer> => {
      for (let attempt = 1; ; attempt++) {
        const present = await read()
        const collisions = collisionsOf(changes, { ...stored, ...baseline }, present.value)
        if (collisions !== null) throw new CollisionFault(collisions)
        try {
          return await write(differingFields(changes, present.value), present)
        } catch (error) {
          if (!(error instanceof ApiFault && error.status === 412) || attempt === ATTEMPTS_MAX) throw error
        }
      }
    },
    onSuccess: (_answer, changes) => {
      setTheirs(null)
      setBaseline({})
      setTyped((now) => differingFields(now, changes))
    },
    onError: (error) => {
      if (!(error instanceof CollisionFault)) return
      const { theirs: set } = error as CollisionFault<T>
      setTheirs(set)
      setBaseline((now) => ({ ...now, ...set }))
      mutation.reset()
      options.onCollision?.()
    },
  })
  return {
    /** Stored and typed values together. */
    values: { ...stored, ...typed },
    /** Typed values that differ from the stored ones. */
    edits,
    edit: (part: Partial<T>): void => {
      setBaseline((now) => ({ ...pick(stored, part), ...now }))
      setTyped((now) => differingFields({ ...now, ...part }, stored))
    },
    /**
     * Values that another person set meanwhile in fields that were changed here too; null unless a save found such
     * values.
     */
    theirs,
    /** Gives up this person's changes of these fields. */
    takeTheirs: (): void => {
      setTyped((now) => ({ ...now, ...theirs }))
      setTheirs(null)
    },
    error: mutation.error,
    isSaving: mutation.isPending,
    /** Sends changes; a second call overwrites the values that another person set. */
    save: (changes: Partial<T>, onSaved: (answer: Answer) => void): void =>
      mutation.mutate(changes, { onSuccess: onSaved }),
  }
}

/** Returns the fields that another person has set to another value than this person did; null without any. */
function collisionsOf<T extends object>(changes: Partial<T>, before: T, present: T): Partial<T> | null {
  const names = Object.keys(changes) as (keyof T)[]
  const collidingNames = names.filter(
    (name) => !isSame(present[name], before[name]) && !isSame(present[name], changes[name]),
  )
  return collidingNames.length === 0
    ? null
    : (Object.fromEntries(collidingNames.map((name) => [name, present[name]])) as Partial<T>)
}

/** Returns the fields of `value` that `part` has. */
const pick = <T extends object>(value: T, part: Partial<T>): Partial<T> =>
  Object.fromEntries(Object.keys(part).map((name) => [name, value[name as keyof T]])) as Partial<T>
