import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { RouterProvider } from 'react-aria-components'
import { hasEntered, leave, operatorGate, watchEntering } from '../../api/operator.ts'
import { Mark } from '../../frame/mark.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { LanguageChoice } from '../../frame/language-choice.tsx'
import { Toasts } from '../../parts/feedback/toast.tsx'
import { CredentialForm } from './credential-form.tsx'
import { Entry } from './entry.tsx'
import { useOperatorWords } from './words.ts'
import './frame.css'

/**
 * Shows the frame of the operator's pages. Without a credential it asks for one, and then shows the page of the
 * address.
 */
export function OperatorFrame() {
  const isEntered = useSyncExternalStore(watchEntering, hasEntered)
  return isEntered ? <EnteredFrame /> : <Entry />
}

function EnteredFrame() {
  const common = useWords()
  const words = useOperatorWords()
  const router = useRouter()
  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      <a className="skip" href="#content">
        {common.skip}
      </a>
      <header className="operator-top">
        <span className="brand">
          <Mark />
          <span className="operator-brand">{common.product}</span>
          <span className="badge badge-caution">{words.operator}</span>
        </span>
        <nav className="operator-pages" aria-label={words.navigation}>
          <Link to="/console/operator/tenants" activeOptions={{ includeSearch: false }}>
            {words.pages.tenants}
          </Link>
          <Link to="/console/operator/status">{words.pages.status}</Link>
          <Link to="/console/operator/log">{words.pages.log}</Link>
        </nav>
        <span className="operator-end">
          <LanguageChoice />
          <Button kind="quiet" size="small" icon={LogOut} onPress={leave}>
            {words.leave}
          </Button>
        </span>
      </header>
      <main id="content" className="content operator-content" tabIndex={-1}>
        <Outlet />
      </main>
      <Toasts />
      <EnterAgain />
    </RouterProvider>
  )
}

/** Asks for the credential again, over the page, so that no typed text is lost. */
function EnterAgain() {
  const { entry } = useOperatorWords()
  const isShut = useSyncExternalStore(operatorGate.watch, operatorGate.isShut)
  if (!isShut) return null
  return (
    <Dialog title={entry.againTitle}>
      <p className="dialog-text">{entry.againText}</p>
      <CredentialForm />
    </Dialog>
  )
}
