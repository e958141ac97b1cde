import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useMinute } from '../../parts/text/time.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type PreviewAnswer, previewQuery, type RuleDraft, searchFor } from './queries.ts'
import { useSettled } from '../../parts/fields/use-settled.ts'
import { useMerchandisingWords } from './words.ts'

/** Shows the hits of a search today, beside those with the rule. */
export function Preview(props: {
  readonly siteId: string
  readonly draft: RuleDraft
  readonly others: readonly RuleDraft[]
}) {
  const words = useMerchandisingWords()
  const { siteId, draft, others } = props
  const [typed, setTyped] = useState<string | null>(null)
  const query = useSettled((typed ?? draft.query ?? '').trim())
  const tried = useSettled(draft, isSameRule)
  const search = searchFor(tried, query, useMinute())
  const today = useQuery(previewQuery(siteId, search, others))
  // A rule that is only tried needs no name, and need not be in use.
  const triedRule = { ...tried, name: tried.name === '' ? '-' : tried.name, is_active: true }
  const withRule = useQuery(previewQuery(siteId, search, [...others, triedRule]))
  const before = today.data?.products.map(({ id }) => id) ?? null
  return (
    <section className="rule-preview" aria-label={words.preview}>
      <h2>{words.preview}</h2>
      <TextField label={words.tryQuery} value={typed ?? draft.query ?? ''} onChange={setTyped} />
      <div className="rule-lists">
        <Ranking title={words.today} query={today} before={null} />
        <Ranking title={words.withRule} query={withRule} before={before} />
      </div>
    </section>
  )
}

function Ranking(props: {
  readonly title: string
  readonly query: UseQueryResult<PreviewAnswer>
  /** Ids of the list to compare with. */
  readonly before: readonly string[] | null
}) {
  const words = useMerchandisingWords()
  const { title, query, before } = props
  const { data, error } = query
  return (
    <div className={query.isPlaceholderData ? 'stale' : undefined}>
      <h3>{title}</h3>
      {error instanceof ApiFault && error.status === 422 ? (
        <p className="quiet">{words.previewNeeds}</p>
      ) : data === undefined ? (
        query.isError ? (
          <Failure error={error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )
      ) : (
        <>
          {data.redirect === null ? null : <p className="rule-redirect">{words.leadsTo(data.redirect)}</p>}
          {data.products.length === 0 ? <p className="quiet">{words.nothing}</p> : null}
          <ol className="rule-ranking">
            {data.products.map(({ id, title }, i) => (
              <li key={id}>
                <span className="wrap">{title}</span>
                {before === null ? null : <Move from={before.indexOf(id)} to={i} />}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function Move({ from, to }: { readonly from: number; readonly to: number }) {
  const words = useMerchandisingWords()
  const { formats } = useLanguage()
  if (from === to) return null
  const [Icon, text] =
    from < 0
      ? [Sparkles, words.isNew]
      : from > to
        ? [ArrowUp, words.moved(formats.number(from - to))]
        : [ArrowDown, words.movedDown(formats.number(to - from))]
  return (
    <span className={from >= 0 && from < to ? 'rule-move rule-move-down' : 'rule-move'}>
      <Icon className="icon" size={14} aria-hidden /> {text}
    </span>
  )
}

const isSameRule = (one: RuleDraft, other: RuleDraft): boolean => JSON.stringify(one) === JSON.stringify(other)
