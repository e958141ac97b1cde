import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { suggestEntries } from '../../api/suggested-entries.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { PickField } from '../../parts/fields/pick-field.tsx'
import { Day } from '../../parts/text/time.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { addEntry, entriesIn, PAGE_SIZE, type ShownEntry, takeOutEntry } from './entries.ts'
import { useGroupsWords } from './words.ts'

/** Lists the entries of a project, or those that a site shows. */
export function EntriesPanel(props: {
  readonly kind: 'projects' | 'sites'
  readonly id: string
  readonly mayChange: boolean
}) {
  const { kind, id, mayChange } = props
  const words = useGroupsWords()
  const shared = useWords()
  const key = [kind, id, 'entries']
  const pages = useCursorPages<ShownEntry>({
    key,
    pageSize: PAGE_SIZE,
    ask: (cursor, signal) => entriesIn(kind, id, cursor, signal),
  })
  const queries = useQueryClient()
  const takeOut = useMutation({
    mutationFn: (entry: ShownEntry) => takeOutEntry(kind, id, entry.id),
    onSuccess: (_, { title }) => sayDone(words.takenOut(title)),
    onError: (error) => sayFailed(faultText(error, shared)),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  const action = {
    id: 'actions',
    head: shared.actions,
    width: 'max-content',
    isActions: true,
    cell: (entry: ShownEntry) => (
      <Button size="small" aria-label={words.takeOutNamed(entry.title)} onPress={() => takeOut.mutate(entry)}>
        {words.takeOut}
      </Button>
    ),
  }
  return (
    <>
      {mayChange ? <AddEntry kind={kind} id={id} /> : null}
      <QueryView query={pages.query}>
        {() =>
          pages.rows.length === 0 ? (
            <Empty title={words.noEntries} {...(mayChange ? { help: words.noEntriesHelp } : {})} />
          ) : (
            <>
              <DataTable
                label={words.entries}
                rows={pages.rows}
                keyOf={(entry) => entry.id}
                columns={[
                  { id: 'title', head: words.entryTitle, width: '3fr', cell: EntryLink },
                  { id: 'changed', head: words.changed, cell: ({ updated_at: iso }) => <Day iso={iso} /> },
                  ...(mayChange ? [{ ...action, width: '8rem' }] : []),
                ]}
                firstRow={pages.firstRow}
                total={pages.total}
                isStale={pages.isStale}
              />
              <Pagination
                firstRow={pages.firstRow}
                rowCount={pages.rows.length}
                total={pages.total}
                onPrevious={pages.onPrevious}
                onNext={pages.onNext}
              />
            </>
          )
        }
      </QueryView>
    </>
  )
}

function EntryLink({ id, title, language }: ShownEntry) {
  return (
    <Link to="/console/entries/$entryId" params={{ entryId: id }} lang={language} className="wrap">
      {title}
    </Link>
  )
}

function AddEntry({ kind, id }: { readonly kind: 'projects' | 'sites'; readonly id: string }) {
  const words = useGroupsWords()
  const shared = useWords()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [addedCount, setAddedCount] = useState(0)
  const suggestions = useQuery({
    queryKey: ['suggested-entries', typed],
    queryFn: ({ signal }) => suggestEntries(typed, signal),
    enabled: typed.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const add = useMutation({
    mutationFn: (entryId: string) => addEntry(kind, id, entryId),
    onSuccess: (_, entryId) => {
      sayDone(words.added(suggestions.data?.find((entry) => entry.id === entryId)?.title ?? ''))
      setAddedCount((count) => count + 1)
      setTyped('')
    },
    onError: (error) => sayFailed(faultText(error, shared)),
    onSettled: () => queries.invalidateQueries({ queryKey: [kind, id, 'entries'] }),
  })
  return (
    <PickField
      key={addedCount}
      label={words.addEntry}
      help={words.addEntryHelp}
      choices={(typed.trim() === '' ? [] : (suggestions.data ?? [])).map((entry) => ({
        id: entry.id,
        name: entry.title,
      }))}
      chosen={null}
      onType={setTyped}
      onChoose={(entryId) => {
        if (entryId !== null) add.mutate(entryId)
      }}
    />
  )
}
