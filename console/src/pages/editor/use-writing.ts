import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { entryQuery, type Entry } from '../../api/entries.ts'
import { differing, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'
import { useSession } from '../../api/use-session.ts'
import { merged } from './merge.ts'
import { type Base, baseOf, saveChange, saveNewOnce } from './saving.ts'
import { type Typed, useDraft } from './use-draft.ts'

interface Writing {
  /** The stored entry that the writing began with; null for a new one. */
  readonly base: Base | null
  /** What a new entry begins with. */
  readonly blank: EntryFields
  readonly fields: EntryFields
  readonly writer: string
  /** Counts the times the text came from outside the editor, which then shows it anew. */
  readonly textKey: number
  /** What somebody else saved meanwhile. */
  readonly theirs: Entry | null
  /** Their changes of the text, while somebody takes them over by hand. */
  readonly beside: { readonly before: string; readonly after: string } | null
}

const newWriter = (): string => `${Date.now()}-${Math.random()}`

/** What is written, where it is kept, and what saves it. */
export function useWriting(start: { readonly base: Base | null; readonly blank: EntryFields }) {
  const queries = useQueryClient()
  const [state, set] = useState<Writing>(() => ({
    ...start,
    fields: start.base?.fields ?? start.blank,
    writer: newWriter(),
    textKey: 0,
    theirs: null,
    beside: null,
  }))
  const typed: Typed = {
    entryId: state.base?.id ?? null,
    base: state.base?.version ?? 0,
    writer: state.writer,
    baseFields: state.base?.fields ?? state.blank,
    fields: state.fields,
  }
  /** Gives the text that the visual view has not passed on yet. */
  const flush = useRef<() => string | null>(() => null)
  const draft = useDraft(typed, flush)
  const [isTyping, setTyping] = useState(false)
  /** What is typed, also what is not drawn yet: a save may come between the two. */
  const newest = useRef(state.fields)
  useLayoutEffect(() => {
    newest.current = state.fields
  }, [state.fields])
  const change = useCallback((some: Partial<EntryFields>): void => {
    newest.current = { ...newest.current, ...some }
    setTyping(false)
    set((before) => ({ ...before, fields: { ...before.fields, ...some } }))
  }, [])
  const renew = (some: Partial<Writing>): void => set((now) => ({ ...now, ...some, textKey: now.textKey + 1 }))
  const { user } = useSession()
  /** New entries whose answer was lost. */
  const lost = useRef(new Set<EntryFields>())
  const save = useMutation({
    mutationFn: ({ typed: sent, base }: { readonly typed: Typed; readonly base: Base | null }) =>
      base === null ? saveNewOnce(sent.fields, user.id, lost.current) : saveChange(base, sent.fields),
    onSuccess: async (entry, { typed: sent }) => {
      await draft.drop(sent)
      set((now) => ({
        ...now,
        base: baseOf(entry),
        theirs: null,
        // What was typed while the request was on its way is not saved yet; all else is as the service has it.
        fields: merged(sent.fields, now.fields, fieldsOf(entry)),
      }))
      void queries.invalidateQueries({ queryKey: ['entries'] })
    },
    onError: async (error, { base }) => {
      if (base === null || !(error instanceof ApiFault) || error.status !== 412) return
      const theirs = await queries.fetchQuery({ ...entryQuery(base.id), staleTime: 0 })
      set((now) => ({ ...now, theirs }))
    },
  })
  /** What would be saved now, with the last keys. */
  const current = (): EntryFields => {
    flush.current()
    return newest.current
  }
  const send = (base: Base | null, fields: EntryFields, entryId = typed.entryId): Promise<Entry> =>
    save.mutateAsync({ typed: { ...typed, fields, entryId }, base })
  return {
    state,
    typed,
    /** Where what is typed is. */
    kept: isTyping ? ('keeping' as const) : draft.state,
    flush,
    change,
    /** Something was typed that `change` brings in a moment. */
    touch: useCallback(() => setTyping(true), []),
    current,
    isSaving: save.isPending,
    error: save.error,
    save: (now: EntryFields) => send(state.base, now),
    saveAsNew: (now: EntryFields) => send(null, now),
    /** Saves mine over theirs, which stays in the versions. */
    overwrite: (theirs: Entry, now: EntryFields) => send(baseOf(theirs), now),
    takeTheirs: async (theirs: Entry): Promise<void> => {
      await draft.drop(typed)
      save.reset()
      renew({ base: baseOf(theirs), fields: fieldsOf(theirs), theirs: null, beside: null })
    },
    mergeByHand: (theirs: Entry): void => {
      const before = typed.baseFields
      const mine = current()
      const both = before.content !== mine.content && before.content !== theirs.content
      const fields = merged(before, mine, fieldsOf(theirs))
      save.reset()
      // Nothing is left to keep when they have the same as I.
      if (differing(fieldsOf(theirs), fields).length === 0) void draft.drop(typed)
      renew({
        base: baseOf(theirs),
        fields,
        theirs: null,
        beside: both ? { before: before.content, after: theirs.content } : null,
      })
    },
    closeBeside: () => set((now) => ({ ...now, beside: null })),
    /** Goes on with a draft, and with the version that it began with, so that nobody's change is lost. */
    adopt: (from: Typed): void => {
      // The answer may have been lost with the page that the draft is from.
      if (from.entryId === null) lost.current.add(from.fields)
      renew({
        fields: from.fields,
        writer: from.writer,
        base: from.entryId === null ? null : { id: from.entryId, version: from.base, fields: from.baseFields },
      })
    },
  }
}
