import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { entryQuery, type Entry } from '../../api/entries.ts'
import { differingNames, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'
import { useSession } from '../../api/use-session.ts'
import { merged } from './merge.ts'
import { type Base, baseOf, saveChange, saveNewOnce } from './saving.ts'
import { type TypedFields, useDraft } from './use-draft.ts'

interface WritingState {
  /** The stored entry that the writing began with; null for a new one. */
  readonly base: Base | null
  /** First fields of a new entry. */
  readonly blank: EntryFields
  readonly fields: EntryFields
  readonly writer: string
  /** Number of times that the text came from outside the editor, which then shows it anew. */
  readonly textKey: number
  /** The entry as another person saved it meanwhile; null without such a save. */
  readonly theirs: Entry | null
  /** The other person's changes of the text, while they are taken over by hand. */
  readonly beside: { readonly before: string; readonly after: string } | null
}

const newWriter = (): string => `${Date.now()}-${Math.random()}`

/** Holds the text that is written, stores it on the device, and saves it. */
export function useWriting(start: { readonly base: Base | null; readonly blank: EntryFields }) {
  const queries = useQueryClient()
  const [state, set] = useState<WritingState>(() => ({
    ...start,
    fields: start.base?.fields ?? start.blank,
    writer: newWriter(),
    textKey: 0,
    theirs: null,
    beside: null,
  }))
  const typed: TypedFields = {
    entryId: state.base?.id ?? null,
    base: state.base?.version ?? 0,
    writer: state.writer,
    baseFields: state.base?.fields ?? state.blank,
    fields: state.fields,
  }
  /** Returns the text that the visual view has not passed on yet. */
  const flush = useRef<() => string | null>(() => null)
  const draft = useDraft(typed, flush)
  const [isTyping, setTyping] = useState(false)
  /** The typed fields, also those that are not rendered yet: a save may come between the two. */
  const newest = useRef(state.fields)
  useLayoutEffect(() => {
    newest.current = state.fields
  }, [state.fields])
  const change = useCallback((some: Partial<EntryFields>): void => {
    newest.current = { ...newest.current, ...some }
    setTyping(false)
    set((before) => ({ ...before, fields: { ...before.fields, ...some } }))
  }, [])
  const renew = (some: Partial<WritingState>): void => set((now) => ({ ...now, ...some, textKey: now.textKey + 1 }))
  const { user } = useSession()
  /** Fields of new entries whose answer was lost. */
  const lost = useRef(new Set<EntryFields>())
  const save = useMutation({
    mutationFn: ({ typed: sentDraft, base }: { readonly typed: TypedFields; readonly base: Base | null }) =>
      base === null ? saveNewOnce(sentDraft.fields, user.id, lost.current) : saveChange(base, sentDraft.fields),
    onSuccess: async (entry, { typed: sentDraft }) => {
      await draft.drop(sentDraft)
      set((now) => ({
        ...now,
        base: baseOf(entry),
        theirs: null,
        // Fields that were typed while the request was on its way are not saved yet; all others are as the service has
        // them.
        fields: merged(sentDraft.fields, now.fields, fieldsOf(entry)),
      }))
      void queries.invalidateQueries({ queryKey: ['entries'] })
    },
    onError: async (error, { base }) => {
      if (base === null || !(error instanceof ApiFault) || error.status !== 412) return
      const theirs = await queries.fetchQuery({ ...entryQuery(base.id), staleTime: 0 })
      set((now) => ({ ...now, theirs }))
    },
  })
  /** Returns the fields that a save would send now, with the last keys. */
  const current = (): EntryFields => {
    flush.current()
    return newest.current
  }
  const send = (base: Base | null, fields: EntryFields, entryId = typed.entryId): Promise<Entry> =>
    save.mutateAsync({ typed: { ...typed, fields, entryId }, base })
  return {
    state,
    typed,
    /** Place of the typed text. */
    textState: isTyping ? ('unsaved' as const) : draft.state,
    flush,
    change,
    /** Notes that text was typed that `change` brings in a moment. */
    touch: useCallback(() => setTyping(true), []),
    current,
    isSaving: save.isPending,
    error: save.error,
    save: (now: EntryFields) => send(state.base, now),
    saveAsNew: (now: EntryFields) => send(null, now),
    /** Saves this person's fields over the other person's, which stay in the versions. */
    overwrite: (theirs: Entry, now: EntryFields) => send(baseOf(theirs), now),
    takeTheirs: async (theirs: Entry): Promise<void> => {
      await draft.drop(typed)
      save.reset()
      renew({ base: baseOf(theirs), fields: fieldsOf(theirs), theirs: null, beside: null })
    },
    mergeByHand: (theirs: Entry): void => {
      const before = typed.baseFields
      const mine = current()
      const isTextChangedTwice = before.content !== mine.content && before.content !== theirs.content
      const fields = merged(before, mine, fieldsOf(theirs))
      save.reset()
      // No draft is needed when both persons have the same fields.
      if (differingNames(fieldsOf(theirs), fields).length === 0) void draft.drop(typed)
      renew({
        base: baseOf(theirs),
        fields,
        theirs: null,
        beside: isTextChangedTwice ? { before: before.content, after: theirs.content } : null,
      })
    },
    closeBeside: () => set((now) => ({ ...now, beside: null })),
    /** Goes on with a draft, based on the version that it began with, so that no other person's change is lost. */
    adopt: (from: TypedFields): void => {
      // The answer to a save may have been lost with the page that the draft is from.
      if (from.entryId === null) lost.current.add(from.fields)
      renew({
        fields: from.fields,
        writer: from.writer,
        base: from.entryId === null ? null : { id: from.entryId, version: from.base, fields: from.baseFields },
      })
    },
  }
}
