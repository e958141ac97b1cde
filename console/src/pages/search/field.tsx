import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { SEARCH_FIELD } from '../../frame/search-button.tsx'
import { IconButton } from '../../parts/layout/button.tsx'
import { useSearchWords } from './words.ts'

/** Class of the links that the arrow keys lead through. */
export const HIT = 'hit-link'

/** Shows the search field. Arrow down leads to the results, Escape empties the field. */
export function SearchField(props: {
  readonly typed: string
  readonly type: (text: string, isComposing: boolean) => void
  readonly askNow: (text: string) => void
}) {
  const { typed, type, askNow } = props
  const words = useSearchWords()
  const input = useRef<HTMLInputElement>(null)
  const clear = (): void => {
    askNow('')
    input.current?.focus()
  }
  return (
    <form
      role="search"
      className="search-field"
      onSubmit={(event) => {
        event.preventDefault()
        askNow(typed)
      }}
    >
      <Search className="icon search-icon" size={20} aria-hidden />
      <input
        ref={input}
        id={SEARCH_FIELD}
        type="text"
        enterKeyHint="search"
        aria-label={words.field}
        placeholder={words.placeholder}
        autoComplete="off"
        maxLength={2000}
        value={typed}
        onChange={(event) => type(event.target.value, (event.nativeEvent as InputEvent).isComposing)}
        onCompositionEnd={(event) => type(event.currentTarget.value, false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            document.querySelector<HTMLElement>(`.${HIT}`)?.focus()
          }
          if (event.key === 'Escape' && typed !== '') {
            event.preventDefault()
            clear()
          }
        }}
      />
      {typed === '' ? null : <IconButton icon={X} label={words.clear} size="small" onPress={clear} />}
    </form>
  )
}
