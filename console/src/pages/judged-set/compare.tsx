import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { type Run, runQuery, type RunResult } from './queries.ts'
import { useRunNames } from './run-names.ts'
import { useJudgedSetWords } from './words.ts'

const route = getRouteApi('/signed-in/console/judged-sets/$setId')

/** Compares two runs, search by search. */
export function Compare({ setId, runs }: { readonly setId: string; readonly runs: readonly Run[] }) {
  const { compare: words } = useJudgedSetWords()
  const names = useRunNames()
  const chosenRuns = route.useSearch()
  const navigate = route.useNavigate()
  const done = runs.filter(({ state }) => state === 'done')
  const existing = (id: string | undefined): string | undefined => done.find((run) => run.id === id)?.id
  const to = existing(chosenRuns.to) ?? done[0]!.id
  const from = existing(chosenRuns.from) ?? done.find(({ id }) => id !== to)!.id
  const choices = done.map((run) => ({ id: run.id, name: names.whole(run) }))
  const choose = (change: { from?: string; to?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  return (
    <Section title={words.title}>
      <div className="measure">
        <Select label={words.from} choices={choices} chosen={from} onChoose={(id) => choose({ from: id })} />
        <Select label={words.to} choices={choices} chosen={to} onChoose={(id) => choose({ to: id })} />
      </div>
      <Difference setId={setId} from={from} to={to} />
    </Section>
  )
}

function Difference({ setId, from, to }: { readonly setId: string; readonly from: string; readonly to: string }) {
  const before = useQuery(runQuery(setId, from))
  const after = useQuery(runQuery(setId, to))
  return (
    <QueryView query={before}>
      {({ results: one }) => (
        <QueryView query={after}>{({ results: other }) => <Rows before={one} after={other} />}</QueryView>
      )}
    </QueryView>
  )
}

interface Row {
  readonly query: string
  readonly before: number | null | undefined
  readonly after: number | null | undefined
}

function Rows({ before, after }: { readonly before: readonly RunResult[]; readonly after: readonly RunResult[] }) {
  const { formats } = useLanguage()
  const { compare: words } = useJudgedSetWords()
  const [areAll, setAll] = useState(false)
  const earlier = new Map(before.map(({ query, ndcg }) => [query, ndcg]))
  const all = after
    .map(({ query, ndcg }): Row => ({ query, before: earlier.get(query), after: ndcg }))
    .toSorted((a, b) => changeOf(a) - changeOf(b))
  const rows = areAll ? all : all.filter((row) => row.before !== row.after)
  const share = (value: number | null | undefined): string =>
    value === undefined ? '–' : value === null ? words.noAnswer : formats.percent(value)
  const signed = (row: Row): string => {
    const change = changeOf(row)
    return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${formats.percent(Math.abs(change))}`
  }
  return (
    <div className="stack">
      {rows.length === 0 ? (
        <p className="quiet" role="status">
          {words.nothing}
        </p>
      ) : (
        <DataTable
          label={words.title}
          rows={rows}
          keyOf={({ query }) => query}
          columns={[
            {
              id: 'query',
              head: words.query,
              width: 'minmax(0, 3fr)',
              cell: ({ query }) => <span className="wrap">{query}</span>,
            },
            { id: 'before', head: words.from, isNumber: true, cell: (row) => share(row.before) },
            { id: 'after', head: words.to, isNumber: true, cell: (row) => share(row.after) },
            { id: 'difference', head: words.difference, isNumber: true, cell: signed },
          ]}
        />
      )}
      <Button kind="quiet" size="small" onPress={() => setAll(!areAll)}>
        {areAll ? words.changed : words.all}
      </Button>
    </div>
  )
}

/** Returns the gain in quality; 0 where the runs cannot be compared. */
function changeOf({ before, after }: Row): number {
  return typeof before === 'number' && typeof after === 'number' ? after - before : 0
}
