import { Link, Outlet } from '@tanstack/react-router'
import { useMay, useSession } from '../api/use-session.ts'
import { useSignOut } from '../api/session.ts'
import { useWords } from '../i18n/language.tsx'
import { faultText } from '../parts/fault-text.ts'
import { LanguageChoice } from '../parts/language-choice.tsx'
import { Notice } from '../parts/notice.tsx'
import { nameOf } from '../parts/person.tsx'
import { Mark } from './mark.tsx'

/** The frame of every page for signed-in people. */
export function Frame() {
  const words = useWords()
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header className="frame-head">
        <Link to="/console" className="brand">
          <Mark />
          {words.product}
        </Link>
        <Account />
      </header>
      <Navigation />
      <main id="content" className="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

/** The menu. It lists the pages that the person may use, with titles that fit the person's role. */
function Navigation() {
  const { frame, oauth } = useWords()
  const isAdmin = useMay('tenant:admin')
  return (
    <nav className="navigation" aria-label={frame.navigation}>
      <p className="navigation-group" id="navigation-settings">
        {frame.settings}
      </p>
      <ul aria-labelledby="navigation-settings">
        {isAdmin ? (
          <li>
            <Link to="/console/settings/api-keys">{frame.apiKeys}</Link>
          </li>
        ) : null}
        <li>
          <Link to="/console/settings/oauth-clients">{isAdmin ? oauth.title : oauth.titleOwn}</Link>
        </li>
      </ul>
      <ul className="navigation-rest">
        <li>
          <a href="/docs">{frame.reference}</a>
        </li>
      </ul>
    </nav>
  )
}

function Account() {
  const words = useWords()
  const { user, tenant } = useSession()
  const signOut = useSignOut()
  return (
    <div className="account">
      <p className="account-who">
        <span className="only-read-out">{words.frame.signedInAs} </span>
        <span className="account-name">{nameOf(user)}</span>
        <span className="second">{tenant.name}</span>
      </p>
      <LanguageChoice />
      <Link to="/console/security" className="button button-small">
        {words.security.title}
      </Link>
      <button
        type="button"
        className="button button-small"
        disabled={signOut.isPending}
        // A full page load, so that nothing that was loaded stays in memory.
        onClick={() => signOut.mutate(undefined, { onSuccess: () => window.location.assign('/console/sign-in') })}
      >
        {words.frame.signOut}
      </button>
      {signOut.isError ? (
        <Notice tone="danger" role="alert">
          {faultText(signOut.error, words)}
        </Notice>
      ) : null}
    </div>
  )
}
