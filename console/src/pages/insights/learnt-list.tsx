import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { learntQueriesQuery } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

/** Lists the searches for which clicks have moved products; each leads to the products and the reasons. */
export function LearntList({ site }: { readonly site: string | undefined }) {
  const { actions } = useWords()
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const { choose } = useChoices()
  const learnt = useQuery(learntQueriesQuery(site))
  return (
    <QueryView query={learnt}>
      {(queries) =>
        queries.length === 0 ? (
          <Empty icon={Lightbulb} title={words.learntNone} help={words.learntNoneHelp} />
        ) : (
          <Table
            label={words.learntList}
            rows={queries}
            keyOf={({ query_key: key }) => key}
            columns={[
              { head: words.query, cell: ({ query }) => <span className="wrap">{query}</span> },
              { head: words.rising, cell: ({ rising }) => formats.number(rising) },
              { head: words.falling, cell: ({ falling }) => formats.number(falling) },
              { head: words.strongest, cell: ({ strongest_boost: boost }) => formats.percent(boost) },
              {
                head: actions,
                isActions: true,
                cell: ({ query }) => (
                  <Button
                    kind="quiet"
                    size="small"
                    icon={Lightbulb}
                    aria-label={words.showLearntNamed(query)}
                    onPress={() => choose({ learnt: query })}
                  >
                    {words.showLearnt}
                  </Button>
                ),
              },
            ]}
          />
        )
      }
    </QueryView>
  )
}
