import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import { invitationQuery } from '../../api/links.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ToSignIn } from '../../parts/session/to-sign-in.tsx'
import { AcceptForm } from './accept-form.tsx'
import { useInvitationWords } from './words.ts'

/** Accepts an invitation: the person enters a name and a password, and is then signed in. */
export function InvitationPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return (
    <Narrow>
      {/* Another link in the same tab begins anew. */}
      <InvitationByToken key={token} token={token} />
    </Narrow>
  )
}

function InvitationByToken({ token }: { readonly token: string }) {
  const words = useInvitationWords()
  const invitation = useQuery({ ...invitationQuery(token), enabled: token !== '' })
  const isDead = token === '' || (invitation.error instanceof ApiFault && [404, 422].includes(invitation.error.status))
  if (isDead) {
    return (
      <Page title={words.dead} intro={words.deadHelp}>
        <ToSignIn />
      </Page>
    )
  }
  return (
    <Page title={words.title}>
      <QueryView query={invitation}>{(data) => <AcceptForm token={token} invitation={data} />}</QueryView>
    </Page>
  )
}
