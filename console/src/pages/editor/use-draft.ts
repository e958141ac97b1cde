import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, holdDraft, keepDraft } from '../../api/drafts.ts'
import { differingNames, type EntryFields } from '../../api/entry-fields.ts'
import { useSession } from '../../api/use-session.ts'

const KEPT_AFTER_MS = 300

/** Place of the typed text: stored by the service, on its way to this device, on this device, or only on the screen. */
export type TextState = 'saved' | 'unsaved' | 'onDevice' | 'notOnDevice'

export interface TypedFields {
  readonly entryId: string | null
  /** Version of the entry that the writer began with; 0 for a new entry. */
  readonly base: number
  readonly writer: string
  readonly baseFields: EntryFields
  readonly fields: EntryFields
}

/**
 * Keeps the typed text on this device until the service has it.
 * @param flush returns the text that the visual view has not passed on yet; null when there is none
 * @returns `state` tells where the text is; `drop` removes it from the device, once the service has answered
 */
export function useDraft(typed: TypedFields, flush: { readonly current: () => string | null }) {
  const { user, tenant } = useSession()
  const isChanged = differingNames(typed.baseFields, typed.fields).length > 0
  const [storedFields, setStoredFields] = useState<EntryFields | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const dropped = useRef<EntryFields | null>(null)
  const latest = useRef<Draft | null>(null)
  const storedDraft = useRef<Draft | null>(null)
  useEffect(() => {
    latest.current = { ...typed, tenantId: tenant.id, userId: user.id, keptAt: '' }
  })
  const keep = useCallback(async (): Promise<void> => {
    const content = flush.current()
    const draft = content === null ? latest.current : withContent(latest.current, content)
    if (
      draft === null ||
      draft.fields === dropped.current ||
      differingNames(draft.baseFields, draft.fields).length === 0
    )
      return
    try {
      await keepDraft({ ...draft, keptAt: new Date().toISOString() })
      const before = storedDraft.current
      storedDraft.current = draft
      // After a merge the text is based on a newer version; the draft of the older one would be offered beside it.
      if (before?.writer === draft.writer && before.base !== draft.base) await dropDraft(before)
      setStoredFields(draft.fields)
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }, [flush])
  const { fields, base, writer: own } = typed
  useEffect(() => (isChanged ? holdDraft(own) : undefined), [isChanged, own])
  useEffect(() => {
    if (!isChanged) return
    const timer = setTimeout(() => void keep(), KEPT_AFTER_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each change starts the wait anew
  }, [fields, base, isChanged, keep])
  useEffect(() => {
    // The tab may be closed before the time is over, so leaving it stores the draft at once.
    const keepNow = (): void => void keep()
    document.addEventListener('visibilitychange', keepNow)
    window.addEventListener('pagehide', keepNow)
    return () => {
      document.removeEventListener('visibilitychange', keepNow)
      window.removeEventListener('pagehide', keepNow)
      void keep()
    }
  }, [keep])
  const drop = useCallback(
    async ({ entryId, base: from, writer, fields: sent }: TypedFields): Promise<void> => {
      dropped.current = sent
      const before = storedDraft.current
      if (before?.writer === writer && before.base !== from) await dropDraft(before).catch(() => {})
      await dropDraft({ tenantId: tenant.id, userId: user.id, entryId, base: from, writer }).catch(() => {})
    },
    [tenant.id, user.id],
  )
  const state: TextState = !isChanged
    ? 'saved'
    : hasFailed
      ? 'notOnDevice'
      : storedFields === fields
        ? 'onDevice'
        : 'unsaved'
  return { state, isChanged, drop }
}

const withContent = (draft: Draft | null, content: string): Draft | null =>
  draft === null ? null : { ...draft, fields: { ...draft.fields, content } }
