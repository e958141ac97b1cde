import { getRouteApi, Link } from '@tanstack/react-router'
import { askPeople, type ListedPerson, PEOPLE_PER_PAGE } from '../../api/people.ts'
import { useSession } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { isRole } from '../../parts/session/permissions.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Day } from '../../parts/text/time.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { seenLevel } from './givable.ts'
import { PeopleFilters } from './people-filters.tsx'
import { StateBadge } from './state-badge.tsx'
import { usePeopleWords } from './words.ts'

const route = getRouteApi('/signed-in/console/settings/people')

/** Lists the people of the organisation, page by page. It is never empty, because it has the signed-in person. */
export function PeopleList() {
  const words = useWords()
  const { list } = usePeopleWords()
  const { part: _part, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const pages = useCursorPages<ListedPerson>({
    key: ['people', 'list', filter],
    pageSize: PEOPLE_PER_PAGE,
    ask: (cursor, signal) => askPeople(filter, cursor, signal),
  })
  return (
    <>
      <PeopleFilters />
      <QueryView query={pages.query} skeleton={<Skeleton lines={8} />}>
        {() =>
          pages.rows.length === 0 && !pages.isStale ? (
            <Empty
              title={words.filters.nothing}
              help={words.filters.nothingHelp}
              action={<Button onPress={() => void navigate({ search: {} })}>{words.filters.clear}</Button>}
            />
          ) : (
            <>
              <DataTable
                label={list.table}
                rows={pages.rows}
                keyOf={({ id }) => id}
                nameOf={nameOf}
                firstRow={pages.firstRow}
                total={pages.total}
                isStale={pages.isStale}
                columns={[
                  {
                    id: 'person',
                    head: list.person,
                    width: 'minmax(0, 2.4fr)',
                    cell: (row) => <PersonLink row={row} />,
                  },
                  { id: 'role', head: list.role, width: 'minmax(0, 1.1fr)', cell: (row) => roleName(row, words.roles) },
                  {
                    id: 'ceiling',
                    head: list.ceiling,
                    width: 'minmax(0, 1.1fr)',
                    cell: ({ role, ceiling = null }) =>
                      isRole(role) ? words.visibility[seenLevel({ role, ceiling })].name : null,
                  },
                  {
                    id: 'state',
                    head: list.state,
                    width: 'minmax(0, 0.9fr)',
                    cell: ({ disabled }) => <StateBadge isDisabled={disabled} />,
                  },
                  {
                    id: 'since',
                    head: list.since,
                    width: 'minmax(0, 1fr)',
                    cell: ({ created_at: at = null }) => <Day iso={at} />,
                  },
                ]}
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

function PersonLink({ row }: { readonly row: ListedPerson }) {
  const { list } = usePeopleWords()
  const { user } = useSession()
  const name = nameOf(row)
  return (
    <>
      <Link to="/console/settings/people/$userId" params={{ userId: row.id }} className="wrap">
        {breakable(name)}
      </Link>
      {row.id === user.id ? <span className="badge you">{list.you}</span> : null}
      {name === row.email ? null : <span className="second wrap">{breakable(row.email)}</span>}
    </>
  )
}

const roleName = ({ role }: ListedPerson, names: Readonly<Record<string, string>>): string => names[role] ?? role
