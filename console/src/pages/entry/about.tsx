import { Link } from '@tanstack/react-router'
import type { Entry } from '../../api/entries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { useEntryWords } from './words.ts'

/** Shows who may read the entry, in words, and its other facts. */
export function About({ entry }: { readonly entry: Entry }) {
  const { words: common, formats } = useLanguage()
  const words = useEntryWords()
  const { name, who } = common.visibility[entry.visibility]
  return (
    <section className="side-block">
      <h2>{words.facts}</h2>
      <DescriptionList
        facts={[
          [
            words.whoReads,
            <>
              {who}
              <span className="second">{name}</span>
            </>,
          ],
          [words.type, common.entryTypes[entry.type]],
          [words.language, formats.languageName(entry.language)],
          [words.changed, <Ago key="changed" iso={entry.updated_at} />],
          [words.version, formats.number(entry.version)],
          entry.tags.length === 0 ? null : [words.tags, <Tags key="tags" tags={entry.tags} />],
          entry.source_reference === null ? null : [words.source, breakable(entry.source_reference)],
          entry.url === undefined
            ? null
            : [
                words.published,
                <a key="url" href={entry.url} rel="noopener noreferrer">
                  {breakable(entry.url)}
                </a>,
              ],
        ]}
      />
    </section>
  )
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="row">
      {tags.map((tag) => (
        <Link key={tag} to="/console" search={{ q: tag, tag }} className="badge">
          {tag}
        </Link>
      ))}
    </span>
  )
}
