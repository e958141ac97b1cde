import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { RouterProvider } from 'react-aria-components'
import { useWords } from '../i18n/language.tsx'
import { Toasts } from '../parts/feedback/toast.tsx'
import { ProofHost } from '../parts/session/proof-host.tsx'
import { Account } from './account.tsx'
import { Drawer } from './drawer.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation-list.tsx'
import { SearchButton } from './search-button.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { useCollapsed } from './use-collapsed.ts'
import { useOwnLanguage } from './use-own-language.ts'

/** Shows the frame of every page for signed-in people: navigation on the left, search and account on top. */
export function Frame() {
  const words = useWords()
  const router = useRouter()
  const [isCollapsed, setCollapsed] = useCollapsed()
  useOwnLanguage()
  return (
    // Lets links and menus of React Aria change the page without loading it anew.
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <div className={isCollapsed ? 'frame frame-collapsed' : 'frame'}>
        <div className="side">
          <Navigation
            head={
              <Link to="/console" className="brand">
                <Mark />
                <span className="brand-name">{words.product}</span>
              </Link>
            }
            isCollapsed={isCollapsed}
            onCollapse={setCollapsed}
          />
        </div>
        <div className="body">
          <header className="top">
            <Drawer />
            <SearchButton />
            <Account />
          </header>
          <main id="content" className="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <Toasts />
      <ProofHost />
      <SignInAgain />
    </RouterProvider>
  )
}
