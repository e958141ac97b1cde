import { getRouteApi, Link } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/language.tsx'
import { MarkedText } from '../../parts/text/marked-text.tsx'
import { JudgeButtons } from './judge.tsx'
import type { Mode } from './lab-search.ts'
import type { LabHit } from './queries.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')
const PARTS = ['meaning', 'words', 'other'] as const

/** Shows a hit with a bar of the parts of its score, its text, and the numbers behind it. */
export function HitCard(props: { readonly hit: LabHit; readonly mode: Mode; readonly highest: number }) {
  const { hit, mode, highest } = props
  const { formats } = useLanguage()
  const words = useLaboratoryWords()
  const { section } = route.useSearch()
  return (
    <li className="lab-hit">
      <p className="lab-hit-head">
        <span className="lab-rank">{hit.rank}</span>
        {section === 'knowledge' ? (
          <Link to="/console/entries/$entryId" params={{ entryId: hit.id }} className="lab-title" lang={hit.language}>
            {hit.title}
          </Link>
        ) : (
          <Link
            to="/console/products/$productId"
            params={{ productId: hit.id }}
            className="lab-title"
            lang={hit.language}
          >
            {hit.title}
          </Link>
        )}
      </p>
      <ScoreBar hit={hit} highest={highest} />
      <p className="second">{words.relevant(formats.percent(hit.relevance))}</p>
      <HitText hit={hit} mode={mode} />
      <Numbers hit={hit} />
      <JudgeButtons hit={hit} />
    </li>
  )
}

function ScoreBar({ hit, highest }: { readonly hit: LabHit; readonly highest: number }) {
  const words = useLaboratoryWords()
  const short = useShortNumber()
  return (
    <div className="lab-bar" role="img" aria-label={words.bar(short(hit.meaning), short(hit.words), short(hit.other))}>
      {PARTS.map((part) => (
        <span
          key={part}
          className={`part-${part}`}
          style={{ width: `${(Math.max(0, hit[part]) / highest) * 100}%` }}
          aria-hidden
        />
      ))}
    </div>
  )
}

/**
 * Shows the text of a hit. In the mode by meaning it is the nearest passage, which was compared; in the others, an
 * excerpt with the matching words.
 */
function HitText({ hit, mode }: { readonly hit: LabHit; readonly mode: Mode }) {
  const { excerpt, passage, language } = hit
  if (mode === 'semantic' && passage !== null) {
    return (
      <p className="lab-text" lang={language}>
        {passage}
      </p>
    )
  }
  if (excerpt === undefined || excerpt.text === '') return null
  return (
    <p className="lab-text" lang={language}>
      <MarkedText text={excerpt.text} places={excerpt.matches} />
    </p>
  )
}

function Numbers({ hit }: { readonly hit: LabHit }) {
  const words = useLaboratoryWords()
  const short = useShortNumber()
  const { terms, passage } = hit
  const facts = [
    [words.score, hit.score],
    [words.parts.meaning, hit.meaning],
    [words.parts.words, hit.words],
    [words.parts.other, hit.other],
    [words.similarity, hit.similarity],
  ] as const
  return (
    <details className="lab-details">
      <summary>{words.details}</summary>
      <dl className="lab-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{short(value)}</dd>
          </div>
        ))}
      </dl>
      {terms.length === 0 ? null : (
        <>
          <h3>{words.matchedWords}</h3>
          <p>{terms.map(({ term, typed }) => (typed === undefined ? term : words.typedAs(term, typed))).join(', ')}</p>
        </>
      )}
      {passage === null ? null : (
        <>
          <h3>{words.passage}</h3>
          <p lang={hit.language}>{passage}</p>
        </>
      )}
    </details>
  )
}

/** Returns a function that writes scores with two decimals. */
function useShortNumber(): (value: number) => string {
  const { formats } = useLanguage()
  return (value) => formats.number(Math.round(value * 100) / 100)
}
