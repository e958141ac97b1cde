import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../i18n/language.tsx'
import { shareOf } from './figures.ts'
import { beforeQuery, type Figures } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

/** Shows the sums of the chosen days, each beside that of the same number of days before. */
export function Summary({ total }: { readonly total: Figures }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const { choices } = useChoices()
  const { data: before } = useQuery(beforeQuery(choices))
  const percent = (share: number | null): string => (share === null ? words.noPlace : formats.percent(share))
  const shareBefore = (count: (figures: Figures) => number): string | null =>
    before === undefined || before.searches === 0
      ? null
      : words.before(percent(shareOf(count(before), before.searches)))
  const rank = total.mean_reciprocal_rank
  return (
    <section aria-label={words.summary}>
      <dl className="insights-summary">
        <Tile
          name={words.searches}
          value={formats.number(total.searches)}
          note={before === undefined || before.searches === 0 ? null : changeOf(total.searches / before.searches - 1)}
        />
        <Tile
          name={words.withClick}
          value={percent(total.click_through_rate)}
          note={shareBefore(({ clicked }) => clicked)}
        />
        <Tile
          name={words.withoutResult}
          value={percent(shareOf(total.zero_results, total.searches))}
          note={shareBefore(({ zero_results: none }) => none)}
        />
        <Tile
          name={words.noClick}
          value={percent(shareOf(total.zero_clicks, total.searches))}
          note={shareBefore(({ zero_clicks: none }) => none)}
        />
        <Tile
          name={words.place}
          value={rank === null ? words.noPlace : words.placeValue(formats.number(Math.round(10 / rank) / 10))}
          note={words.placeHelp}
        />
      </dl>
    </section>
  )

  function changeOf(change: number): string {
    const percentage = formats.percent(Math.round(Math.abs(change) * 100) / 100)
    return Math.abs(change) < 0.005 ? words.same : change > 0 ? words.more(percentage) : words.less(percentage)
  }
}

function Tile(props: { readonly name: string; readonly value: string; readonly note: string | null }) {
  return (
    <div className="insights-tile">
      <dt>{props.name}</dt>
      <dd className="insights-value">{props.value}</dd>
      {props.note === null ? null : <dd className="second">{props.note}</dd>}
    </div>
  )
}
