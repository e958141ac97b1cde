import type { TextHeading } from '../../parts/text/headings.ts'
import { useEntryWords } from './words.ts'

const SHOWN_FROM = 2

/** Shows the table of contents. Two levels are enough to find one's way. */
export function Contents({ headings }: { readonly headings: readonly TextHeading[] }) {
  const words = useEntryWords()
  const highest = Math.min(...headings.map(({ level }) => level))
  const listed = headings.filter(({ level }) => level <= highest + 1)
  if (listed.length < SHOWN_FROM) return null
  return (
    <nav aria-label={words.contents} className="side-block">
      <h2>{words.contents}</h2>
      <ul className="contents">
        {listed.map(({ id, text, level }) => (
          <li key={id} className={level > highest ? 'contents-deep' : undefined}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                const heading = document.getElementById(id)
                heading?.scrollIntoView()
                heading?.focus({ preventScroll: true })
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
