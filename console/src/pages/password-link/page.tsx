import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import { passwordLinkQuery } from '../../api/links.ts'
import { signInMethodsQuery } from '../../api/sign-in.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ToSignIn } from '../../parts/session/to-sign-in.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { usePasswordLinkWords } from './words.ts'

/** Sets a new password by a link. */
export function NewPasswordPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return (
    <Narrow>
      {/* Another link in the same tab begins anew. */}
      <PasswordLink key={token} token={token} />
    </Narrow>
  )
}

function PasswordLink({ token }: { readonly token: string }) {
  const words = usePasswordLinkWords()
  const link = useQuery({ ...passwordLinkQuery(token), enabled: token !== '' })
  const isDead = token === '' || (link.error instanceof ApiFault && [404, 422].includes(link.error.status))
  if (isDead) return <Dead />
  return (
    <QueryView query={link} skeleton={<Page title={words.title} />}>
      {(data) => <NewPasswordForm token={token} link={data} />}
    </QueryView>
  )
}

function Dead() {
  const words = usePasswordLinkWords()
  const hasMail = useQuery(signInMethodsQuery).data?.forgotten_password === true
  return (
    <Page title={words.dead} intro={words.deadHelp}>
      {hasMail ? (
        <Link to="/console/forgotten-password" className="button button-main button-block">
          {words.again}
        </Link>
      ) : null}
      <ToSignIn />
    </Page>
  )
}
