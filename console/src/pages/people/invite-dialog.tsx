import { useQuery } from '@tanstack/react-query'
import { useInvite } from '../../api/people.ts'
import { signInMethodsQuery } from '../../api/sign-in.ts'
import { useSession } from '../../api/use-session.ts'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { InviteForm } from './invite-form.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { usePeopleWords } from './words.ts'

/** Invites a person: asks for the address and the role, then mails the link or shows it. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = usePeopleWords()
  const invite = useInvite()
  const hasMail = useQuery(signInMethodsQuery).data?.forgotten_password === true
  const { scopes } = useSession()
  if (invite.data !== undefined && invite.data.link !== null) {
    const { email, link, expires_at: expiresAt } = invite.data
    return (
      <LinkDialog title={words.link.invitation} email={email} link={link} expiresAt={expiresAt} onClose={onClose} />
    )
  }
  return (
    <Dialog title={words.invite.title} onClose={onClose} isBusy={invite.isPending}>
      <p className="dialog-text">{hasMail ? words.invite.byMail : words.invite.byHand}</p>
      <InviteForm
        scopes={scopes}
        error={invite.error}
        isBusy={invite.isPending}
        onInvite={(order) =>
          invite.mutate(order, {
            onSuccess: ({ link, email }) => {
              if (link !== null) return
              sayDone(words.invite.mailed(email))
              onClose()
            },
          })
        }
        onClose={onClose}
      />
    </Dialog>
  )
}
