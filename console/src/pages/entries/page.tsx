import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { BulkBar } from './bulk-bar.tsx'
import { EntryTable } from './entry-table.tsx'
import { Filters, useFilters } from './filter-bar.tsx'
import { entryPages, type ListedEntry } from './queries.ts'
import { useEntriesWords } from './words.ts'
import './page.css'

/** Lists all entries, and changes many at once. */
export function EntriesPage() {
  const words = useEntriesWords()
  const mayWrite = useMay('knowledge:write')
  const { filters, isFiltered, clear } = useFilters()
  const pages = useCursorPages(entryPages(filters))
  // Selected entries by id, so that a selection holds over several pages.
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedEntry>>(new Map())
  const { rows } = pages
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        mayWrite ? (
          <Link to="/console/entries/new" search={categoryOf(filters.category)} className="button button-main">
            {words.create}
          </Link>
        ) : null
      }
    >
      <div className="stack">
        <Filters />
        <BulkBar selected={selected} onSelect={setSelected} />
        <QueryView query={pages.query}>
          {() =>
            rows.length === 0 ? (
              isFiltered ? (
                <Empty icon={FileText} title={words.filtered} action={<Button onPress={clear}>{words.clear}</Button>} />
              ) : (
                <Empty icon={FileText} title={words.empty} help={words.emptyHelp} />
              )
            ) : (
              <>
                <EntryTable
                  rows={rows}
                  firstRow={pages.firstRow}
                  total={pages.total}
                  isStale={pages.isStale}
                  selected={selected}
                  onSelect={mayWrite ? setSelected : null}
                />
                <Pagination
                  firstRow={pages.firstRow}
                  rowCount={rows.length}
                  total={pages.total}
                  onPrevious={pages.onPrevious}
                  onNext={pages.onNext}
                />
              </>
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}

const categoryOf = (category: string | undefined) => (category === undefined ? {} : { category })
