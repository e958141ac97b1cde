import { useRouter } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useSession } from '../api/use-session.ts'
import { useLanguage } from '../i18n/language.tsx'
import { type Language, LANGUAGES } from '../i18n/languages.ts'
import { faultText } from '../parts/feedback/fault-text.ts'
import { type Action, Menu } from '../parts/layout/menu.tsx'
import { nameOf } from '../parts/text/person.tsx'
import { useSignOut } from '../parts/session/sign-out.tsx'
import { sayFailed } from '../parts/feedback/toast.tsx'
import { ACCOUNT_PAGES } from './account-pages.ts'
import { chooseScheme, type Scheme, SCHEMES, shownScheme } from './scheme.ts'

/** Shows the person's menu: their name, their pages, language, light or dark, and signing out. */
export function Account() {
  const { language, words, speak } = useLanguage()
  const { user, tenant } = useSession()
  const router = useRouter()
  const { signOut, isBusy, question } = useSignOut(
    // A full page load, so that no loaded data stays in memory.
    () => window.location.assign('/console/sign-in'),
    (error) => sayFailed(faultText(error, words)),
  )
  const [scheme, setScheme] = useState(shownScheme)
  const name = nameOf(user)
  const pages = ACCOUNT_PAGES.map(({ to, icon, name: pageName }): Action => ({
    id: String(to),
    name: pageName[language],
    icon,
    onAction: () => void router.navigate({ to }),
  }))
  return (
    <>
      <Menu
        label={words.frame.account}
        button={
          <Button className="account">
            <span className="only-read-out">{words.frame.account}:</span>
            <span className="avatar" aria-hidden>
              {initialsOf(name)}
            </span>
            <span className="account-name">
              {name}
              <span className="second">{tenant.name}</span>
            </span>
          </Button>
        }
        head={
          <div className="account-who">
            <span className="second">{words.frame.signedInAs}</span>
            <strong className="wrap">{name}</strong>
            {name === user.email ? null : <span className="second wrap">{user.email}</span>}
            <span className="second wrap">{tenant.name}</span>
          </div>
        }
        choices={[
          {
            id: 'language',
            title: words.language,
            options: Object.entries(LANGUAGES).map(([tag, own]) => ({ id: tag, name: own, lang: tag })),
            chosen: language,
            onChoose: (tag) => speak(tag as Language),
          },
          {
            id: 'scheme',
            title: words.frame.scheme,
            options: SCHEMES.map((each) => ({ id: each, name: words.frame.schemes[each] })),
            chosen: scheme,
            onChoose: (chosen) => {
              chooseScheme(chosen as Scheme)
              setScheme(chosen as Scheme)
            },
          },
        ]}
        actions={[
          ...pages,
          {
            id: 'sign-out',
            name: words.frame.signOut,
            icon: LogOut,
            isDisabled: isBusy,
            onAction: signOut,
          },
        ]}
      />
      {question}
    </>
  )
}

/** Returns up to two letters that stand for a name. */
function initialsOf(name: string): string {
  const letters = name.split(/[\s@.]+/).map((word) => /^./u.exec(word)?.[0] ?? '')
  return letters.slice(0, 2).join('').toUpperCase()
}
