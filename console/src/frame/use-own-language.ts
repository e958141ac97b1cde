import { useEffect } from 'react'
import { useSession } from '../api/use-session.ts'
import { useLanguage } from '../i18n/language.tsx'
import { isLanguageChosen, ownLanguage } from '../i18n/languages.ts'

/** Switches to the language of the person's account, unless a language was chosen in this browser. */
export function useOwnLanguage(): void {
  const { language: own = null } = useSession().user
  const { follow } = useLanguage()
  useEffect(() => {
    if (own !== ownLanguage() && !isLanguageChosen()) follow(own)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only who is signed in decides, not what is chosen later
  }, [own])
}
