import { useLanguage } from '../../i18n/language.tsx'
import { Figure } from '../../parts/chart/figure.tsx'
import { TimeChart } from '../../parts/chart/time-chart.tsx'
import { everyDay, shareOf } from './figures.ts'
import type { Analytics } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

/** Shows how many searches there were, and how many led to a click, day by day. */
export function OverTime({ analytics }: { readonly analytics: Analytics }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const { isTable, showTable } = useChoices()
  const days = everyDay(analytics)
  const { searches, clicked } = analytics.total
  const most = days.reduce((best, day) => (day.searches > best.searches ? day : best))
  const average = Math.max(1, Math.round(searches / days.length))
  const overTimeFinding = words.overTimeFinding(
    formats.number(searches),
    formats.number(average),
    formats.utcDay(most.day),
    formats.number(most.searches),
  )
  const rateFinding =
    clicked === 0 ? words.rateNone : words.rateFinding(formats.number(Math.round((100 * clicked) / searches)))
  const percent = (share: number | null): string => (share === null ? '–' : formats.percent(share))
  const day = {
    head: words.day,
    value: (row: (typeof days)[number]) => row.day,
    cell: (row: (typeof days)[number]) => formats.utcDay(row.day),
  }
  const latest = days.toReversed()
  return (
    <div className="insights-charts">
      <Figure
        title={words.overTime}
        finding={overTimeFinding}
        file="searches"
        rows={latest}
        keyOf={(row) => row.day}
        columns={[
          day,
          { head: words.searches, value: (row) => row.searches, cell: (row) => formats.number(row.searches) },
          { head: words.withClick, value: (row) => row.clicked, cell: (row) => formats.number(row.clicked) },
          {
            head: words.withoutResult,
            value: (row) => row.zero_results,
            cell: (row) => formats.number(row.zero_results),
          },
        ]}
        isTable={isTable('searches')}
        onTable={(asTable) => showTable('searches', asTable)}
      >
        <TimeChart
          label={overTimeFinding}
          series={[{ name: words.searches }, { name: words.withoutResult }]}
          points={days.map((row) => ({ day: row.day, values: [row.searches, row.zero_results] }))}
          format={formats.number}
          isWhole
        />
      </Figure>
      <Figure
        title={words.rate}
        finding={rateFinding}
        file="click-through"
        rows={latest}
        keyOf={(row) => row.day}
        columns={[
          day,
          {
            head: words.withClick,
            value: (row) => row.click_through_rate,
            cell: (row) => percent(row.click_through_rate),
          },
          {
            head: words.zeroRate,
            value: (row) => shareOf(row.zero_results, row.searches),
            cell: (row) => percent(shareOf(row.zero_results, row.searches)),
          },
        ]}
        isTable={isTable('clicks')}
        onTable={(asTable) => showTable('clicks', asTable)}
      >
        <TimeChart
          label={rateFinding}
          series={[{ name: words.withClick }, { name: words.withoutResult }]}
          points={days.map((row) => ({
            day: row.day,
            values: [row.click_through_rate, shareOf(row.zero_results, row.searches)],
          }))}
          format={formats.percent}
        />
      </Figure>
    </div>
  )
}
