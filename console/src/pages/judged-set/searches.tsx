import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardCheck, Trash2 } from 'lucide-react'
import { type JudgedQuery, judgedQueriesQuery, type JudgedSet } from '../../api/judged-sets.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { IconButton } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useRemoveQuery } from './queries.ts'
import { useJudgedSetWords } from './words.ts'

/** Lists the searches of the set. Each leads to the laboratory, where its results are judged. */
export function Searches({ set }: { readonly set: JudgedSet }) {
  const { queries: words } = useJudgedSetWords()
  const queries = useQuery(judgedQueriesQuery(set.id))
  const judge = (
    <Link to="/console/laboratory" search={{ section: set.section, set: set.id }} className="button">
      {words.toLaboratory}
    </Link>
  )
  return (
    <Section title={words.title}>
      <QueryView query={queries}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={ClipboardCheck} title={words.none} help={words.noneHelp} action={judge} />
          ) : (
            <div className="stack judged-searches">
              <SearchTable set={set} queries={list} />
              <div>{judge}</div>
            </div>
          )
        }
      </QueryView>
    </Section>
  )
}

function SearchTable({ set, queries }: { readonly set: JudgedSet; readonly queries: readonly JudgedQuery[] }) {
  const common = useWords()
  const { formats } = useLanguage()
  const { queries: words } = useJudgedSetWords()
  const remove = useRemoveQuery(set.id)
  const count = (query: JudgedQuery, grade: number): string =>
    formats.number(query.judgments.filter((each) => each.grade === grade).length)
  return (
    <DataTable
      label={words.title}
      rows={queries}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'query',
          head: words.query,
          width: 'minmax(0, 3fr)',
          cell: ({ query }) => (
            <Link to="/console/laboratory" search={{ q: query, section: set.section, set: set.id }} className="wrap">
              {query}
            </Link>
          ),
        },
        { id: 'right', head: words.right, isNumber: true, cell: (query) => count(query, 2) },
        { id: 'so-so', head: words.soSo, isNumber: true, cell: (query) => count(query, 1) },
        { id: 'wrong', head: words.wrong, isNumber: true, cell: (query) => count(query, 0) },
        {
          id: 'actions',
          head: common.actions,
          isActions: true,
          width: '4rem',
          cell: ({ id, query }) => (
            <IconButton
              icon={Trash2}
              size="small"
              label={words.remove(query)}
              onPress={() =>
                remove.mutate(id, {
                  onSuccess: () => sayDone(words.removed(query)),
                  onError: (error) => sayFailed(faultText(error, common)),
                })
              }
            />
          ),
        },
      ]}
    />
  )
}
