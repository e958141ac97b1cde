import { type Invitation, useWithdraw } from '../../api/people.ts'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { usePeopleWords } from './words.ts'

/** Asks before an invitation is withdrawn. */
export function WithdrawDialog(props: { readonly invitation: Invitation; readonly onClose: () => void }) {
  const { id, email } = props.invitation
  const { invitations: text } = usePeopleWords()
  const withdraw = useWithdraw()
  return (
    <ConfirmDialog
      title={text.withdrawTitle}
      text={text.withdrawText(email)}
      confirm={text.withdraw}
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() =>
        withdraw.mutate(id, {
          onSuccess: () => {
            sayDone(text.withdrawn(email))
            props.onClose()
          },
        })
      }
      onClose={props.onClose}
    />
  )
}
