import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { EntryFields } from '../../api/entry-fields.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { TextDiff } from '../../parts/text/text-diff.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { Conflict } from './conflict.tsx'
import { Details, MoreDetails } from './details.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { Head } from './head.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { MetadataForm } from './metadata-form.tsx'
import type { Base } from './saving.ts'
import { TextPane } from './text-pane.tsx'
import { TitleField } from './title-field.tsx'
import { useFaults } from './use-faults.ts'
import { useSaveKeys } from './use-save-keys.ts'
import { useWriting } from './use-writing.ts'
import { useEditorWords } from './words.ts'

/**
 * Writes one entry, new or stored.
 * @param onMade called with the id of a new entry when it is saved for the first time
 */
export function EntryForm(props: {
  readonly base: Base | null
  readonly blank: EntryFields
  readonly onMade?: (id: string) => void
}) {
  const { onMade, ...start } = props
  const words = useEditorWords()
  const router = useRouter()
  const writing = useWriting(start)
  const { state, textState, isSaving, error } = writing
  const { fields, base, theirs, beside } = state
  const faults = useFaults(fields, error)
  const form = useRef<HTMLDivElement>(null)
  // Two quick presses both come before the first is rendered.
  const isUnderway = useRef(false)

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const attempt = async (
    run: (now: EntryFields) => Promise<{ readonly id: string }>,
    isLast: boolean,
  ): Promise<void> => {
    if (isSaving || isUnderway.current) return
    const now = writing.current()
    if (!faults.check(now)) {
      // The focus moves after the faults are rendered.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    isUnderway.current = true
    try {
      const { id } = await run(now).finally(() => {
        isUnderway.current = false
      })
      sayDone(words.savedToast)
      if (base === null) onMade?.(id)
      const to = isLast ? '/console/entries/$entryId' : '/console/entries/$entryId/edit'
      // The page of a new entry stays when its address changes, so nothing is left.
      const ignoreBlocker = !isLast
      if (isLast || id !== base?.id)
        await router.navigate({ to, params: { entryId: id }, replace: !isLast, ignoreBlocker })
    } catch {
      // The failure is shown beside the fields and above them.
    }
  }
  const save = (isLast: boolean): void => void attempt(writing.save, isLast)
  useSaveKeys({ onSave: () => save(false), onSaveAndClose: () => save(true) })
  const copy = (): void => void attempt((now) => writing.saveAsNew({ ...now, title: words.copyOf(now.title) }), false)

  return (
    <div ref={form} className="editor">
      <Head
        isNew={base === null}
        textState={textState}
        isSaving={isSaving}
        onSave={() => save(false)}
        onSaveAndClose={() => save(true)}
      />
      <LeaveDialog isNeeded={textState === 'notOnDevice'} />
      <DraftOffer base={start.base} onUse={writing.adopt} />
      {theirs === null ? (
        <>
          <Refusal error={error} others={faults.others} isInFields={faults.hasFieldFaults} onSaveAsNew={copy} />
          <div className="editor-columns">
            <div className="editor-main">
              <TitleField
                value={fields.title}
                fault={faults.faultAt('title')}
                onChange={(title) => writing.change({ title })}
              />
              <TextPane
                text={fields.content}
                lang={fields.language}
                textKey={state.textKey}
                fault={faults.faultAt('content')}
                flush={writing.flush}
                onTouch={writing.touch}
                onChange={(content) => writing.change({ content })}
              />
              {beside === null ? null : (
                <section className="beside">
                  <h2>{words.conflict.mergedTitle}</h2>
                  <p className="quiet">{words.conflict.merged}</p>
                  <TextDiff {...beside} lang={fields.language} />
                  <Button onPress={writing.closeBeside}>{words.conflict.done}</Button>
                </section>
              )}
              <p className="help">{words.keys}</p>
            </div>
            <aside className="editor-side stack" aria-label={words.details}>
              <Details fields={fields} isNew={base === null} faultAt={faults.faultAt} onChange={writing.change} />
              {fields.type === 'knowledge' ? null : (
                <MetadataForm
                  key={`${fields.type}-${state.textKey}`}
                  fields={fields}
                  faultAt={faults.faultAt}
                  onChange={(metadata) => writing.change({ metadata })}
                />
              )}
              <MoreDetails
                key={state.textKey}
                fields={fields}
                isNew={base === null}
                faultAt={faults.faultAt}
                onChange={writing.change}
              />
            </aside>
          </div>
        </>
      ) : (
        <Conflict
          base={writing.typed.baseFields}
          mine={fields}
          theirs={theirs}
          isBusy={isSaving}
          onTakeTheirs={() => void writing.takeTheirs(theirs)}
          onCopy={copy}
          onMerge={() => writing.mergeByHand(theirs)}
          onOverwrite={() => void attempt((now) => writing.overwrite(theirs, now), false)}
        />
      )}
    </div>
  )
}

/** Says why a save failed, if no field shows it. */
function Refusal(props: {
  readonly error: unknown
  readonly others: readonly string[]
  readonly isInFields: boolean
  readonly onSaveAsNew: () => void
}) {
  const common = useWords()
  const words = useEditorWords()
  const { error, others, isInFields } = props
  if (error === null || (isInFields && others.length === 0)) return null
  const isGone = error instanceof ApiFault && error.status === 404
  return (
    <Notice tone="danger" role="alert">
      {isGone ? (
        <>
          <p>{words.deleted}</p>
          <Button onPress={props.onSaveAsNew}>{words.saveAsNew}</Button>
        </>
      ) : others.length > 0 ? (
        <ul>
          {others.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : (
        faultText(error, common)
      )}
    </Notice>
  )
}
