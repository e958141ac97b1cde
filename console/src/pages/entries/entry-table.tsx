import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/language.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Ago } from '../../parts/text/time.tsx'
import type { ListedEntry } from './queries.ts'
import { useEntriesWords } from './words.ts'

const TAGS_SHOWN = 3

type Selection = ReadonlyMap<string, ListedEntry>

/** Lists the entries of one page. @param props.onSelect null where there is no action for a selection */
export function EntryTable(props: {
  readonly rows: readonly ListedEntry[]
  readonly firstRow: number
  readonly total: number | null
  readonly isStale: boolean
  readonly selected: Selection
  readonly onSelect: ((selected: Selection) => void) | null
}) {
  const { words: common, formats } = useLanguage()
  const words = useEntriesWords()
  const { rows, selected, onSelect } = props
  const select = (ids: ReadonlySet<string>): void => {
    const listed = new Map(rows.map((row) => [row.id, row]))
    // Entries that are selected on other pages stay so.
    const elsewhere = [...selected].filter(([id]) => !listed.has(id))
    const here = [...ids].flatMap((id): [string, ListedEntry][] => {
      const row = listed.get(id)
      return row === undefined ? [] : [[id, row]]
    })
    onSelect?.(new Map([...elsewhere, ...here]))
  }
  return (
    <DataTable
      label={words.table}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      firstRow={props.firstRow}
      total={props.total}
      isStale={props.isStale}
      {...(onSelect === null
        ? {}
        : { selected: new Set(rows.filter(({ id }) => selected.has(id)).map(({ id }) => id)), onSelect: select })}
      columns={[
        {
          id: 'title',
          head: words.name,
          width: 'minmax(0, 2.4fr)',
          cell: ({ id, title, language, type }) => (
            <>
              <Link to="/console/entries/$entryId" params={{ entryId: id }} lang={language} className="wrap">
                {title}
              </Link>
              {type === 'knowledge' ? null : <span className="second">{common.entryTypes[type]}</span>}
            </>
          ),
        },
        {
          id: 'category',
          head: words.category,
          width: 'minmax(0, 1.4fr)',
          cell: ({ category_path: path = [] }) => <span className="wrap">{path.at(-1)}</span>,
        },
        {
          id: 'visibility',
          head: words.visibility,
          cell: ({ visibility }) => common.visibility[visibility].name,
        },
        { id: 'language', head: words.language, cell: ({ language }) => formats.languageName(language) },
        { id: 'tags', head: words.tags, width: 'minmax(0, 1.2fr)', cell: ({ tags }) => <Tags tags={tags} /> },
        { id: 'changed', head: words.changed, cell: ({ updated_at: at }) => <Ago iso={at} /> },
      ]}
    />
  )
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  const more = tags.length - TAGS_SHOWN
  return (
    <span className="row tags">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Link key={tag} to="/console/entries" search={(before) => ({ ...before, tag })} className="badge">
          {tag}
        </Link>
      ))}
      {more > 0 ? <span className="quiet">+{more}</span> : null}
    </span>
  )
}
