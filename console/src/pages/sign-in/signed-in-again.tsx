import { useEffect } from 'react'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { tellSignIn } from '../../api/signed-in-again.ts'

/** Ends a sign-in that began in a tab of its own, and tells the tab that waits for it. */
export function SignedInAgainPage() {
  const { signInAgain } = useWords()
  useEffect(tellSignIn, [])
  return (
    <Narrow>
      <Page title={signInAgain.done} intro={signInAgain.doneHelp} />
    </Narrow>
  )
}
