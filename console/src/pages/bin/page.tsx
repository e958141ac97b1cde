import { useQueryClient } from '@tanstack/react-query'
import { Lock, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { restoreEntry, withEach } from '../../api/many-entries.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { BinActions } from './bin-actions.tsx'
import { BinTable } from './bin-table.tsx'
import type { BinOutcome } from './outcome.ts'
import { binPages, type BinnedEntry, purgeEntry } from './queries.ts'
import { useBinWords } from './words.ts'

/** Lists deleted entries, to restore them or to delete them for good. */
export function BinPage() {
  const words = useBinWords()
  if (useMay('knowledge:delete')) return <Bin />
  return (
    <Page title={words.title}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}

function Bin() {
  const words = useBinWords()
  const queries = useQueryClient()
  const pages = useCursorPages(binPages)
  const { rows } = pages
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [outcome, setOutcome] = useState<BinOutcome | null>(null)
  const chosen = rows.filter(({ id }) => selected.has(id))
  const each = async (run: (entry: BinnedEntry) => Promise<unknown>, say: (count: number) => string): Promise<void> => {
    const failed = await withEach(chosen, run, () => {})
    setOutcome({ text: say(chosen.length - failed.length), failed })
    setSelected(new Set())
    await queries.invalidateQueries({ queryKey: ['entries'] })
  }
  return (
    <Page title={words.title} intro={words.intro}>
      <div className="stack">
        <BinActions
          count={chosen.length}
          outcome={outcome}
          onRestore={() => each(restoreEntry, words.restored)}
          onPurge={() => each(purgeEntry, words.purged)}
        />
        <QueryView query={pages.query}>
          {() =>
            rows.length === 0 ? (
              <Empty icon={Trash2} title={words.empty} help={words.emptyHelp} />
            ) : (
              <>
                <BinTable
                  rows={rows}
                  firstRow={pages.firstRow}
                  isStale={pages.isStale}
                  selected={selected}
                  onSelect={setSelected}
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
