import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { relatedQuery, translationsQuery } from './queries.ts'
import { useEntryWords } from './words.ts'

interface Other {
  readonly id: string
  readonly title: string
  readonly language: string
}

/** Lists translations and related entries. They come after the text; when they fail, the text is still there. */
export function Others({ entryId }: { readonly entryId: string }) {
  const words = useEntryWords()
  const { formats } = useLanguage()
  const translations = useQuery(translationsQuery(entryId)).data ?? []
  const related = useQuery(relatedQuery(entryId)).data ?? []
  // A translation is near in meaning too, and would be listed twice.
  const others = related.map(({ entry }) => entry).filter(({ id }) => !translations.some((each) => each.id === id))
  return (
    <>
      <Block
        title={words.translations}
        entries={translations}
        note={({ language }) => formats.languageName(language)}
      />
      <Block title={words.related} entries={others} />
    </>
  )
}

function Block(props: {
  readonly title: string
  readonly entries: readonly Other[]
  readonly note?: (entry: Other) => string
}) {
  const id = useId()
  if (props.entries.length === 0) return null
  return (
    <section className="side-block" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      <ul className="plain-list others">
        {props.entries.map((entry) => (
          <li key={entry.id}>
            <Link to="/console/entries/$entryId" params={{ entryId: entry.id }} lang={entry.language}>
              {entry.title}
            </Link>
            {props.note === undefined ? null : <span className="second">{props.note(entry)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
