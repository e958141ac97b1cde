import { type Invitation, useSendAgain } from '../../api/people.ts'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { usePeopleWords } from './words.ts'

/** Makes a new link for an invitation, and mails or shows it. */
export function SendAgainDialog(props: { readonly invitation: Invitation; readonly onClose: () => void }) {
  const { invitation, onClose } = props
  const words = usePeopleWords()
  const again = useSendAgain()
  if (again.data !== undefined && again.data.link !== null) {
    const { email, link, expires_at: expiresAt } = again.data
    return (
      <LinkDialog title={words.link.invitation} email={email} link={link} expiresAt={expiresAt} onClose={onClose} />
    )
  }
  return (
    <AskDialog
      title={words.invitations.againTitle}
      text={words.invitations.againText(invitation.email)}
      confirm={words.invitations.again}
      isBusy={again.isPending}
      error={again.error}
      onConfirm={() =>
        again.mutate(invitation.id, {
          onSuccess: ({ link, email }) => {
            if (link !== null) return
            sayDone(words.invite.mailed(email))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
