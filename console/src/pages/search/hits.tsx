import { Link } from '@tanstack/react-router'
import { Folder, Pencil, SearchX } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useMay } from '../../api/use-session.ts'
import { SEARCH_FIELD } from '../../frame/search-button.tsx'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { MarkedText } from '../../parts/text/marked-text.tsx'
import { WriteMissing } from '../editor/write-missing.tsx'
import { HIT } from './field.tsx'
import { type SearchAnswer, type Hit, HITS, logClick } from './queries.ts'
import { useFilters } from './use-filters.ts'
import { type SearchWords, useSearchWords } from './words.ts'

interface HintProps {
  readonly answer: SearchAnswer
  readonly onAsk: (query: string) => void
}

/** Lists the hits of a search. The previous list stays, dimmed, until the next answer arrives. */
export function Hits(props: {
  readonly answer: SearchAnswer
  readonly isStale: boolean
  readonly onAsk: (query: string) => void
  readonly onOpen: () => void
}) {
  const { answer, isStale, onAsk, onOpen } = props
  const words = useSearchWords()
  const { hits, isWeak, logId } = answer
  return (
    <section aria-label={words.results} aria-busy={isStale} className={isStale ? 'stale' : undefined}>
      <p className={hits.length === 0 ? 'only-read-out' : 'search-count'} role="status">
        {isStale ? '' : statusText(answer, words)}
      </p>
      {isWeak ? <WeakHints answer={answer} onAsk={onAsk} /> : null}
      {hits.length === 0 ? (
        <NothingFound answer={answer} onAsk={onAsk} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys walk the links inside
        <ol className="hits" onKeyDown={walk}>
          {hits.map((hit, i) => (
            <HitItem
              key={hit.entry.id}
              hit={hit}
              onOpen={() => {
                onOpen()
                if (logId !== null) logClick(logId, hit.entry.id, i + 1)
              }}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

function statusText({ hits, isWeak, query }: SearchAnswer, words: SearchWords): string {
  if (hits.length === 0) return words.nothing(query)
  if (isWeak) return words.weak(query)
  return (hits.length < HITS ? words.found : words.best)(hits.length, query)
}

/** Shows the next steps where all hits match only by chance. */
function WeakHints({ answer: { query, didYouMean }, onAsk }: HintProps) {
  const words = useSearchWords()
  const mayWrite = useMay('knowledge:write')
  if (didYouMean === null && !mayWrite) return null
  return (
    <div className="row search-instead">
      {didYouMean === null ? null : <Button onPress={() => onAsk(didYouMean)}>{words.didYouMean(didYouMean)}</Button>}
      <WriteMissing title={query} />
    </div>
  )
}

function HitItem({ hit, onOpen }: { readonly hit: Hit; readonly onOpen: () => void }) {
  const { words, formats } = useLanguage()
  const own = useSearchWords()
  const { entry, excerpt } = hit
  const mayWrite = useMay('knowledge:write')
  const { category_path: path = [] } = entry
  return (
    <li className="hit">
      <Link to="/console/entries/$entryId" params={{ entryId: entry.id }} className={HIT} onClick={onOpen}>
        <h2 lang={entry.language}>{entry.title}</h2>
      </Link>
      {excerpt === undefined ? null : (
        <p className="hit-text" lang={entry.language}>
          <MarkedText text={excerpt.text} places={excerpt.matches} />
        </p>
      )}
      <p className="hit-facts">
        <span>{words.entryTypes[entry.type]}</span>
        <Link
          to="/console"
          search={(before) => ({ ...before, category: entry.category_id })}
          aria-label={own.inCategory(path.join(' › '))}
          resetScroll={false}
        >
          <Folder className="icon" size={12} aria-hidden /> {path.join(' › ')}
        </Link>
        <span>{formats.languageName(entry.language)}</span>
        {entry.visibility === 'public' || entry.visibility === 'internal' ? null : (
          <span>{words.visibility[entry.visibility].name}</span>
        )}
        {mayWrite ? (
          <Link
            to="/console/entries/$entryId/edit"
            params={{ entryId: entry.id }}
            aria-label={own.edit(entry.title)}
            onClick={onOpen}
          >
            <Pencil className="icon" size={12} aria-hidden /> {words.edit}
          </Link>
        ) : null}
      </p>
    </li>
  )
}

function NothingFound({ answer, onAsk }: HintProps) {
  const common = useWords()
  const words = useSearchWords()
  const mayWrite = useMay('knowledge:write')
  const { isFiltered, clear } = useFilters()
  const { query, didYouMean } = answer
  return (
    <Empty
      icon={SearchX}
      title={words.nothing(query)}
      help={isFiltered ? words.nothingFiltered : words.nothingHelp}
      action={
        didYouMean === null && !isFiltered && !mayWrite ? undefined : (
          <>
            {didYouMean === null ? null : (
              <Button onPress={() => onAsk(didYouMean)}>{words.didYouMean(didYouMean)}</Button>
            )}
            {isFiltered ? <Button onPress={clear}>{common.filters.clear}</Button> : <WriteMissing title={query} />}
          </>
        )
      }
    />
  )
}

/**
 * Moves the focus: the arrow keys lead from hit to hit and from the first back to the field, and Escape leads to the
 * field at once.
 */
function walk(event: KeyboardEvent<HTMLOListElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${HIT}`)]
  const at = links.findIndex((link) => link === document.activeElement)
  const field = document.querySelector<HTMLElement>(`#${SEARCH_FIELD}`)
  const next =
    event.key === 'ArrowDown'
      ? links[at + 1]
      : event.key === 'ArrowUp'
        ? (links[at - 1] ?? field)
        : event.key === 'Escape'
          ? field
          : null
  if (at < 0 || next === null || next === undefined) return
  event.preventDefault()
  next.focus()
}
