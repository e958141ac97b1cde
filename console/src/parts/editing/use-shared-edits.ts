import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { differing, isSame } from './differing.ts'
import type { Versioned } from '../../api/versioned.ts'

/** Somebody may write between a read and the write that follows it, and again. */
const ATTEMPTS_MAX = 4

/** Somebody else has set fields that were changed here too. */
class Met<T> extends Error {
  readonly theirs: Partial<T>

  constructor(theirs: Partial<T>) {
    super('Somebody else has changed the same')
    this.theirs = theirs
  }
}

/**
 * What somebody changes of a stored thing that others may change too, in a form without a state of its own. A field that
 * they leave alone follows what is stored, and is not sent. Before it is written the thing is read again: what others set
 * in other fields stays, and where they set the same field to something else, nothing is written until the person has
 * decided. The write names the state that was read (If-Match).
 * @param options.stored the fields as the page has them
 * @param options.write sends the changed fields of the present state, and its ETag
 * @param options.onMet called when somebody else was faster, to renew what the page shows
 */
export function useSharedEdits<T extends object, Answer>(options: {
  readonly stored: T
  readonly read: () => Promise<Versioned<T>>
  readonly write: (changes: Partial<T>, present: Versioned<T>) => Promise<Answer>
  readonly onMet?: () => void
}) {
  const { stored, read, write } = options
  const [typed, setTyped] = useState<Partial<T>>({})
  // What each field was when somebody began to change it; a renewal in the background must not slip in below it.
  const [begun, setBegun] = useState<Partial<T>>({})
  const [theirs, setTheirs] = useState<Partial<T> | null>(null)
  const edits = differing(typed, stored)
  const mutation = useMutation({
    mutationFn: async (changes: Partial<T>): Promise<Answer> => {
      for (let attempt = 1; ; attempt++) {
        const present = await read()
        const met = metBy(changes, { ...stored, ...begun }, present.value)
        if (met !== null) throw new Met(met)
        try {
          return await write(differing(changes, present.value), present)
        } catch (error) {
          if (!(error instanceof ApiFault && error.status === 412) || attempt === ATTEMPTS_MAX) throw error
        }
      }
    },
    onSuccess: (_answer, changes) => {
      setTheirs(null)
      setBegun({})
      setTyped((now) => differing(now, changes))
    },
    onError: (error) => {
      if (!(error instanceof Met)) return
      const { theirs: set } = error as Met<T>
      setTheirs(set)
      setBegun((now) => ({ ...now, ...set }))
      mutation.reset()
      options.onMet?.()
    },
  })
  return {
    /** Stored and typed together. */
    shown: { ...stored, ...typed },
    /** What differs from what is stored. */
    edits,
    edit: (part: Partial<T>): void => {
      setBegun((now) => ({ ...pick(stored, part), ...now }))
      setTyped((now) => differing({ ...now, ...part }, stored))
    },
    /** What somebody else set meanwhile in fields that were changed here too; null unless a save met it. */
    theirs,
    /** Gives up the own changes of these fields. */
    takeTheirs: (): void => {
      setTyped((now) => ({ ...now, ...theirs }))
      setTheirs(null)
    },
    error: mutation.error,
    isSaving: mutation.isPending,
    /** Sends changes; a second time over what somebody else set. */
    save: (changes: Partial<T>, onSaved: (answer: Answer) => void): void =>
      mutation.mutate(changes, { onSuccess: onSaved }),
  }
}

/** The fields that somebody else has set to something else than they are set to here; null without any. */
function metBy<T extends object>(changes: Partial<T>, begun: T, present: T): Partial<T> | null {
  const names = Object.keys(changes) as (keyof T)[]
  const met = names.filter((name) => !isSame(present[name], begun[name]) && !isSame(present[name], changes[name]))
  return met.length === 0 ? null : (Object.fromEntries(met.map((name) => [name, present[name]])) as Partial<T>)
}

/** The fields of `value` that `part` has. */
const pick = <T extends object>(value: T, part: Partial<T>): Partial<T> =>
  Object.fromEntries(Object.keys(part).map((name) => [name, value[name as keyof T]])) as Partial<T>
