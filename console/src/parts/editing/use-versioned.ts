import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { Versioned } from '../../api/versioned.ts'
import { differingFields, isSame } from './differing-fields.ts'

/**
 * Edits a record that other people may change meanwhile. Changes are sent with the state that they were meant for
 * (If-Match). When another person's change came first, nothing is lost: the record is read again, the fields that the
 * other person changed are named, and a second save keeps the values that were entered here.
 * @param options.write sends the changed fields; the second argument is the whole record with them
 */
export function useVersioned<T extends object>(options: {
  readonly key: QueryKey
  readonly read: (signal?: AbortSignal) => Promise<Versioned<T>>
  readonly write: (changes: Partial<T>, whole: T, etag: string) => Promise<Versioned<T>>
}) {
  const { key, read, write } = options
  const queries = useQueryClient()
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => read(signal) })
  const [draft, setDraft] = useState<Partial<T>>({})
  // State of the record when the draft was begun; a renewal in the background must not replace it.
  const [draftBase, setDraftBase] = useState<Versioned<T> | null>(null)
  const [theirs, setTheirs] = useState<readonly (keyof T)[]>([])
  const isDrafted = Object.keys(draft).length > 0
  const base = isDrafted || query.data === undefined ? (draftBase ?? query.data) : query.data
  const reset = (): void => {
    setDraft({})
    setDraftBase(null)
    setTheirs([])
  }
  const mutation = useMutation({
    mutationFn: async ({ changes, on }: { changes: Partial<T>; on: Versioned<T> }) => {
      const whole = { ...on.value, ...changes }
      try {
        return await write(changes, whole, on.etag)
      } catch (error) {
        // The service may have stored an earlier attempt whose answer was lost.
        const isMeanwhile = error instanceof ApiFault && error.status === 412
        const fresh = isMeanwhile ? await read().catch(() => null) : null
        if (fresh !== null && isSame(fresh.value, whole)) return fresh
        throw error
      }
    },
    onSuccess: (answer, { changes }) => {
      queries.setQueryData(key, answer)
      setTheirs([])
      // Fields that were changed while the request was on its way are not saved yet.
      setDraft((now) => differingFields(differingFields(now, changes), answer.value))
      setDraftBase(answer)
    },
    onError: async (error, { on }) => {
      if (!(error instanceof ApiFault && error.status === 412)) return
      const fresh = await queries.fetchQuery({ queryKey: key, queryFn: () => read(), staleTime: 0 })
      const names = Object.keys(fresh.value) as (keyof T)[]
      setTheirs(names.filter((name) => !isSame(fresh.value[name], on.value[name])))
      setDraftBase(fresh)
      setDraft((now) => differingFields(now, fresh.value))
      mutation.reset()
    },
  })
  return {
    query,
    /** The record as it would be saved; undefined while it loads. */
    value: base === undefined ? undefined : { ...base.value, ...draft },
    /** The record as it is stored. */
    stored: base?.value,
    /** Names of the fields that differ from the stored ones. */
    changed: Object.keys(draft) as (keyof T)[],
    /** Names of the fields that another person has changed meanwhile; empty unless a save found such a change. */
    theirs,
    error: mutation.error,
    isSaving: mutation.isPending,
    change: (changes: Partial<T>): void => {
      if (base === undefined) return
      setDraftBase(base)
      setDraft((now) => differingFields({ ...now, ...changes }, base.value))
    },
    discard: (): void => {
      mutation.reset()
      reset()
    },
    save: (onSaved: () => void): void => {
      if (base !== undefined && Object.keys(draft).length > 0)
        mutation.mutate({ changes: draft, on: base }, { onSuccess: onSaved })
    },
  }
}
