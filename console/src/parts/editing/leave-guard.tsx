import { useBlocker } from '@tanstack/react-router'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'

/**
 * Asks before the person leaves the page with text that only the page has, also by the browser's Back. The browser
 * itself asks before it closes the tab.
 * @param props.isNeeded whether there is something to lose now
 */
export function LeaveGuard(props: {
  readonly isNeeded: () => boolean
  /** Texts of the question, if the page has its own. */
  readonly words?: { readonly title: string; readonly text: string; readonly leave: string }
}) {
  const { unsaved } = useWords()
  const { isNeeded, words = { title: unsaved.leaveTitle, text: unsaved.leaveText, leave: unsaved.leave } } = props
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)) && isNeeded(),
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text}
      confirm={words.leave}
      isBusy={false}
      error={null}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}

/** Returns the tab that an address names: another tab of a page takes a form away like another page. */
const tabOf = (search: unknown): unknown => (search as { readonly tab?: unknown }).tab
