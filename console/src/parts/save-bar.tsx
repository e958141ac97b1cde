import { useBlocker } from '@tanstack/react-router'
import { useWords } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

/**
 * Says at the foot of the window that a form has changes, and saves or discards them. Asks before somebody leaves the
 * page with them. The button sends the form that it stands in.
 * @param props.count of changed fields; with 0 nothing is shown
 */
export function SaveBar(props: { readonly count: number; readonly isSaving: boolean; readonly onDiscard: () => void }) {
  const { count, isSaving, onDiscard } = props
  const words = useWords()
  const { unsaved } = words
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      count > 0 && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: () => count > 0,
    withResolver: true,
  })
  if (count === 0) return null
  return (
    <>
      <section className="save-bar" aria-label={unsaved.region}>
        <p role="status">{unsaved.count(count)}</p>
        <span className="row">
          <Button onPress={onDiscard} isDisabled={isSaving}>
            {unsaved.discard}
          </Button>
          <Button kind="main" type="submit" isPending={isSaving}>
            {isSaving ? words.saving : words.save}
          </Button>
        </span>
      </section>
      {blocker.status === 'blocked' ? (
        <ConfirmDialog
          title={unsaved.leaveTitle}
          text={unsaved.leaveText}
          confirm={unsaved.leave}
          isBusy={false}
          error={null}
          onConfirm={blocker.proceed}
          onClose={blocker.reset}
        />
      ) : null}
    </>
  )
}

/** Another tab of a page takes the form away like another page. */
const tabOf = (search: unknown): unknown => (search as { readonly tab?: unknown }).tab
