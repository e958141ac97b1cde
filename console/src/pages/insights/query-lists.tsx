import { useState } from 'react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { LIST } from './asked.ts'
import type { Analytics } from './queries.ts'
import { QueryTable } from './query-table.tsx'
import { SynonymDialog } from './synonym-dialog.tsx'
import { useAsked } from './use-asked.ts'
import { useInsightsWords } from './words.ts'

/** What people search for: with nothing found, with nothing opened, and most often. Each with the next step. */
export function QueryLists(props: { readonly found: Analytics; readonly hasProducts: boolean }) {
  const { found, hasProducts } = props
  const words = useInsightsWords()
  const { asked, choose } = useAsked()
  const [asking, setAsking] = useState<string | null>(null)
  const mayAdd = useMay('products:write') && hasProducts
  const mayWrite = useMay('knowledge:write') && asked.section !== 'products'
  const lists = [found.zero_result_queries, found.zero_click_queries, found.top_queries]
  if (found.top_queries.length === 0) return <Notice tone="plain">{words.noTexts}</Notice>
  const actions = { mayWrite, onSynonym: mayAdd ? setAsking : undefined }
  return (
    <>
      <QueryTable
        title={words.zeroResults}
        file="found-nothing"
        help={words.zeroResultsHelp}
        empty={words.zeroResultsEmpty}
        queries={found.zero_result_queries}
        columns={['nothing']}
        {...actions}
      />
      <QueryTable
        title={words.zeroClicks}
        file="not-opened"
        help={words.zeroClicksHelp}
        empty={words.zeroClicksEmpty}
        queries={found.zero_click_queries}
        columns={['searches']}
        {...actions}
      />
      <QueryTable
        title={words.top}
        file="most-frequent"
        empty={words.topEmpty}
        queries={found.top_queries}
        columns={['searches', 'clicked', 'nothing']}
        onWhy={hasProducts ? (query) => choose({ learnt: query }) : undefined}
      />
      {lists.some(({ length }) => length >= LIST.short) ? (
        <div className="row">
          <Button onPress={() => choose({ all: asked.all === true ? undefined : true })}>
            {asked.all === true ? words.showLess : words.showAll}
          </Button>
        </div>
      ) : null}
      {asking === null ? null : <SynonymDialog query={asking} onClose={() => setAsking(null)} />}
    </>
  )
}
