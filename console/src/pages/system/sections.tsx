import { useLanguage, useWords } from '../../i18n/language.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Meter } from '../../parts/chart/meter.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { searchLagText } from '../../parts/text/search-lag.ts'
import { readyItems } from './concerns.ts'
import type { Status } from './queries.ts'
import { useSystemWords } from './words.ts'

interface Props {
  readonly status: Status
}

/** Share from which on the memory is almost full. */
const FULL_SHARE = 0.9

/** Shows how many entries and products are prepared for search by meaning. */
export function Meaning({ status: { embedding } }: Props) {
  const { number } = useLanguage().formats
  const { meaning } = useSystemWords()
  const { model, target_model: target, items, pending, failing, last_error: lastError } = embedding
  const ready = readyItems(embedding)
  return (
    <Section title={meaning.title} help={meaning.help}>
      <div className="stack">
        {items === 0 ? (
          <p className="quiet">{meaning.none}</p>
        ) : (
          <Meter label={meaning.progress} value={ready} max={items} text={meaning.of(number(ready), number(items))} />
        )}
        <DescriptionList
          facts={[
            [meaning.model, model === null ? meaning.noModel : <code key="model">{model}</code>],
            model === null || model === target ? null : [meaning.target, <code key="target">{target}</code>],
            [meaning.queue, number(pending)],
            failing === 0 ? null : [meaning.failing, number(failing)],
            lastError === null ? null : [meaning.lastError, <code key="error">{lastError}</code>],
          ]}
        />
      </div>
    </Section>
  )
}

/** Shows the memory that the search index of the organisation takes, and how far the index is behind. */
export function Memory({ status: { search } }: Props) {
  const { number, bytes } = useLanguage().formats
  const { memory } = useSystemWords()
  const { searchLag } = useWords()
  return (
    <Section title={memory.title} help={memory.help}>
      {search === null ? (
        <p className="quiet">{memory.none}</p>
      ) : (
        <div className="stack">
          <Meter
            label={memory.used}
            value={search.bytes}
            max={search.bytes_max}
            text={memory.of(bytes(search.bytes), bytes(search.bytes_max))}
            isWarning={search.bytes > search.bytes_max * FULL_SHARE}
          />
          <DescriptionList
            facts={[
              [memory.documents, number(search.documents)],
              [memory.passages, number(search.passages)],
              [searchLag.label, searchLagText(search, searchLag, number)],
              search.left_out === 0 ? null : [memory.leftOut, <LeftOut key="left-out" search={search} />],
            ]}
          />
        </div>
      )}
    </Section>
  )
}

/** Lists documents that search leaves out, with their owners. */
function LeftOut({ search }: { readonly search: NonNullable<Status['search']> }) {
  const { memory } = useSystemWords()
  return (
    <ul>
      {search.left_out_documents.map(({ index, id, owner }) => (
        <li key={id}>
          <code>{id}</code> {memory.leftOutOf(index, owner)}
        </li>
      ))}
    </ul>
  )
}

export function Service({ status: { version } }: Props) {
  const { service } = useSystemWords()
  return (
    <Section title={service.title}>
      <DescriptionList facts={[[service.version, version]]} />
    </Section>
  )
}
