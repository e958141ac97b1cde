import { useQuery } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../api/use-session.ts'
import { vocabularyQuery } from '../../api/search-vocabulary.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { StopWords } from './stop-words.tsx'
import { SynonymDialog } from './synonym-dialog.tsx'
import { SynonymTable } from './synonym-table.tsx'
import { useSearchWordsWords } from './words.ts'

/** Lists the synonyms and the stop words of the tenant's product search. */
export function SearchWordsPage() {
  const words = useSearchWordsWords()
  const maySee = useMay('products:write')
  const vocabulary = useQuery({ ...vocabularyQuery, enabled: maySee })
  const [isAdding, setAdding] = useState(false)
  const add = maySee ? (
    <Button kind="main" icon={Plus} onPress={() => setAdding(true)}>
      {words.create}
    </Button>
  ) : undefined
  return (
    <Page title={words.title} intro={words.intro} action={add}>
      {maySee ? (
        <QueryView query={vocabulary}>
          {({ synonyms, stop_words: stopWords }) => (
            <>
              <SynonymTable synonyms={synonyms} />
              <StopWords stopWords={stopWords} />
            </>
          )}
        </QueryView>
      ) : (
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      )}
      {isAdding ? <SynonymDialog synonym={null} onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}
