import { useLanguage } from '../../i18n/language.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Ago, Day } from '../../parts/text/time.tsx'
import type { BinnedEntry } from './queries.ts'
import { useBinWords } from './words.ts'

/** Lists the deleted entries of one page. */
export function BinTable(props: {
  readonly rows: readonly BinnedEntry[]
  readonly firstRow: number
  readonly isStale: boolean
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}) {
  const { words: common } = useLanguage()
  const words = useBinWords()
  return (
    <DataTable
      {...props}
      label={words.table}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      columns={[
        {
          id: 'title',
          head: words.name,
          width: 'minmax(0, 2.4fr)',
          cell: ({ title, language, type }) => (
            <>
              <span lang={language} className="wrap">
                {title}
              </span>
              {type === 'knowledge' ? null : <span className="second">{common.entryTypes[type]}</span>}
            </>
          ),
        },
        { id: 'visibility', head: words.visibility, cell: ({ visibility }) => common.visibility[visibility].name },
        { id: 'deleted', head: words.deleted, cell: ({ deleted_at: at }) => <Ago iso={at} /> },
        { id: 'purge', head: words.purge, cell: ({ purge_at: at }) => <Day iso={at} /> },
      ]}
    />
  )
}
