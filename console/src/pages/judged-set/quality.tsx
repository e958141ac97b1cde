import { ChartLine } from 'lucide-react'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Moment } from '../../parts/text/time.tsx'
import { QualityChart } from './chart.tsx'
import type { Run } from './queries.ts'
import { useRunNames } from './run-names.ts'
import { useJudgedSetWords } from './words.ts'

/** Shows the quality that each run measured, as a chart with a finding and as a table. */
export function Quality({ runs }: { readonly runs: readonly Run[] }) {
  const { quality: words } = useJudgedSetWords()
  const [isTable, setTable] = useState(false)
  const measured = runs.filter((run) => run.state === 'done' && run.ndcg !== null).toReversed()
  const finding = useFinding(measured)
  return (
    <Section title={words.title} help={words.explain}>
      {runs.length === 0 ? (
        <Empty icon={ChartLine} title={words.none} help={words.noneHelp} />
      ) : (
        <figure className="quality">
          <figcaption>{finding}</figcaption>
          {measured.length === 0 ? null : (
            <Button size="small" kind="quiet" onPress={() => setTable(!isTable)}>
              {isTable ? words.asChart : words.asTable}
            </Button>
          )}
          {isTable || measured.length === 0 ? <RunTable runs={runs} /> : <QualityChart runs={measured} />}
        </figure>
      )}
    </Section>
  )
}

/**
 * Returns in one sentence how the newest run compares with the one before.
 * @param measured runs with a quality, the oldest first
 */
function useFinding(measured: readonly Run[]): string {
  const { formats } = useLanguage()
  const { quality: words } = useJudgedSetWords()
  const [before, now] = [measured.at(-2)?.ndcg, measured.at(-1)?.ndcg].map((value) =>
    value === null || value === undefined ? null : formats.percent(value),
  ) as [string | null, string | null]
  if (now === null) return words.none
  if (before === null) return words.first(now)
  if (before === now) return words.same(now)
  return (measured.at(-1)?.ndcg ?? 0) > (measured.at(-2)?.ndcg ?? 0) ? words.up(now, before) : words.down(now, before)
}

function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const { formats } = useLanguage()
  const { runs: words, quality } = useJudgedSetWords()
  const names = useRunNames()
  const share = (value: number | null): string => (value === null ? '–' : formats.percent(value))
  return (
    <Table
      label={quality.title}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        { head: words.when, cell: ({ started_at }) => <Moment iso={started_at} /> },
        { head: words.mode, cell: (run) => names.mode(run) },
        { head: words.view, cell: (run) => names.view(run) },
        { head: words.quality, cell: ({ ndcg }) => share(ndcg) },
        { head: words.firstRight, cell: ({ first_right }) => share(first_right) },
        { head: words.state, cell: ({ state }) => words.states[state] },
      ]}
    />
  )
}
