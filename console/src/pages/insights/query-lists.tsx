import { useState } from 'react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { LIST } from './choices.ts'
import type { Analytics } from './queries.ts'
import { QueryTable } from './query-table.tsx'
import { SynonymDialog } from './synonym-dialog.tsx'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

/**
 * Lists the searches of people: those without hits, those without clicks, and the most frequent. Each has its next
 * step.
 */
export function QueryLists(props: { readonly analytics: Analytics; readonly hasProducts: boolean }) {
  const { analytics, hasProducts } = props
  const words = useInsightsWords()
  const { choices, choose } = useChoices()
  const [synonymQuery, setSynonymQuery] = useState<string | null>(null)
  const mayAdd = useMay('products:write') && hasProducts
  const mayWrite = useMay('knowledge:write') && choices.section !== 'products'
  const lists = [analytics.zero_result_queries, analytics.zero_click_queries, analytics.top_queries]
  if (analytics.top_queries.length === 0) return <Notice tone="plain">{words.noTexts}</Notice>
  const actions = { mayWrite, onSynonym: mayAdd ? setSynonymQuery : undefined }
  return (
    <>
      <QueryTable
        title={words.zeroResults}
        file="found-nothing"
        help={words.zeroResultsHelp}
        empty={words.zeroResultsEmpty}
        queries={analytics.zero_result_queries}
        columns={['nothing']}
        {...actions}
      />
      <QueryTable
        title={words.zeroClicks}
        file="not-opened"
        help={words.zeroClicksHelp}
        empty={words.zeroClicksEmpty}
        queries={analytics.zero_click_queries}
        columns={['searches']}
        {...actions}
      />
      <QueryTable
        title={words.top}
        file="most-frequent"
        empty={words.topEmpty}
        queries={analytics.top_queries}
        columns={['searches', 'clicked', 'nothing']}
        onWhy={hasProducts ? (query) => choose({ learnt: query }) : undefined}
      />
      {lists.some(({ length }) => length >= LIST.short) ? (
        <div className="row">
          <Button onPress={() => choose({ all: choices.all === true ? undefined : true })}>
            {choices.all === true ? words.showLess : words.showAll}
          </Button>
        </div>
      ) : null}
      {synonymQuery === null ? null : <SynonymDialog query={synonymQuery} onClose={() => setSynonymQuery(null)} />}
    </>
  )
}
