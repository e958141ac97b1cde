import { Link } from '@tanstack/react-router'
import { Download, Lightbulb, Plus, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { saveCsv } from '../../parts/tables/csv-file.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { PathLink } from '../../parts/layout/path-link.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import type { QueryFigures } from './queries.ts'
import { useInsightsWords } from './words.ts'

/** Most characters of a synonym. */
const SYNONYM_MAX = 100

interface Actions {
  readonly mayWrite?: boolean
  readonly onSynonym?: (query: string) => void
  readonly onWhy?: (query: string) => void
}

/** Lists queries with their figures, and the next step for each. */
export function QueryTable(
  props: Actions & {
    readonly title: string
    /** Name of the file that the list is saved as, without its ending. */
    readonly file: string
    readonly help?: string
    readonly empty: string
    readonly queries: readonly QueryFigures[]
    readonly columns: readonly ('searches' | 'clicked' | 'nothing')[]
  },
) {
  const { title, file, help, empty, queries, columns } = props
  const { actions: heading, figure } = useWords()
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const counts = {
    searches: { head: words.times, cell: (row: QueryFigures) => formats.number(row.searches) },
    clicked: { head: words.withClick, cell: (row: QueryFigures) => formats.percent(row.clicked / row.searches) },
    nothing: { head: words.withoutResult, cell: (row: QueryFigures) => formats.number(row.zero_results) },
  }
  const save = (): void =>
    saveCsv(
      `${file}.csv`,
      [words.query, words.searches, words.withClick, words.withoutResult],
      queries.map((row) => [row.query, row.searches, row.clicked, row.zero_results]),
    )
  const hasActions = props.mayWrite === true || props.onSynonym !== undefined || props.onWhy !== undefined
  return (
    <Section title={title} help={help}>
      {queries.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <div className="stack">
          <Table
            label={title}
            rows={queries}
            keyOf={({ query }) => query}
            columns={[
              { head: words.query, cell: ({ query }) => <QueryLink query={query} /> },
              ...columns.map((column) => counts[column]),
              ...(hasActions
                ? [
                    {
                      head: heading,
                      isActions: true,
                      cell: ({ query }: QueryFigures): ReactNode => <NextSteps query={query} {...props} />,
                    },
                  ]
                : []),
            ]}
          />
          <div>
            <Button kind="quiet" size="small" icon={Download} aria-label={words.exportNamed(title)} onPress={save}>
              {figure.save}
            </Button>
          </div>
        </div>
      )}
    </Section>
  )
}

/** Shows a query, which leads to its search. */
function QueryLink({ query }: { readonly query: string }) {
  const words = useInsightsWords()
  return (
    <Link to="/console" search={{ q: query }} className="wrap" aria-label={words.trySearch(query)}>
      {query}
    </Link>
  )
}

function NextSteps({ query, mayWrite = false, onSynonym, onWhy }: Actions & { readonly query: string }) {
  const words = useInsightsWords()
  return (
    <div className="row insights-actions">
      {mayWrite ? (
        <PathLink
          to={`/console/entries/new?title=${encodeURIComponent(query)}`}
          className="button button-small"
          label={words.writeNamed(query)}
        >
          <SquarePen className="icon" size={16} aria-hidden />
          {words.write}
        </PathLink>
      ) : null}
      {onSynonym === undefined || query.length > SYNONYM_MAX ? null : (
        <Button size="small" icon={Plus} aria-label={words.synonymNamed(query)} onPress={() => onSynonym(query)}>
          {words.synonym}
        </Button>
      )}
      {onWhy === undefined ? null : (
        <Button
          kind="quiet"
          size="small"
          icon={Lightbulb}
          aria-label={words.showLearntNamed(query)}
          onPress={() => onWhy(query)}
        >
          {words.showLearnt}
        </Button>
      )}
    </div>
  )
}
