import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useEditorWords } from './words.ts'

/** Asks before somebody leaves text that is nowhere but on the screen. */
export function LeaveDialog({ isNeeded }: { readonly isNeeded: boolean }) {
  const { leave } = useEditorWords()
  const blocker = useBlocker({
    shouldBlockFn: () => isNeeded,
    enableBeforeUnload: () => isNeeded,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={leave.title}
      text={leave.text}
      confirm={leave.leave}
      isBusy={false}
      error={null}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}
