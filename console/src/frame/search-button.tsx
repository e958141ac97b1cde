import { useLocation, useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { useWords } from '../i18n/language.tsx'
import { HOME } from '../parts/session/return-path.ts'

/** Id of the search page's field, to which Ctrl-K leads from every page. */
export const SEARCH_FIELD = 'search-field'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Shows the button that leads to the search. Ctrl-K (on a Mac Command-K) does the same on every page. */
export function SearchButton() {
  const { frame } = useWords()
  const router = useRouter()
  const isHome = useLocation().pathname === HOME
  const toSearch = useCallback(async () => {
    if (router.state.location.pathname !== HOME) await router.navigate({ to: HOME })
    const field = document.querySelector<HTMLInputElement>(`#${SEARCH_FIELD}`)
    field?.focus()
    field?.select()
  }, [router])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(isApple ? event.metaKey : event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      void toSearch()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [toSearch])
  return (
    <button
      type="button"
      className={isHome ? 'search-button search-button-home' : 'search-button'}
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      onClick={() => void toSearch()}
    >
      <Search className="icon" size={16} aria-hidden />
      <span className="search-button-name">{frame.search}</span>
      <kbd aria-hidden>{isApple ? '⌘ K' : frame.searchKeys}</kbd>
    </button>
  )
}
