import { useState } from 'react'
import { askInvitations, type Invitation, PEOPLE_PER_PAGE } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Person } from '../../parts/text/person.tsx'
import { useCursorPages } from '../../parts/tables/use-cursor-pages.ts'
import { seenLevel } from './givable.ts'
import { LinkState } from './link-state.tsx'
import { SendAgainDialog } from './send-again-dialog.tsx'
import { usePeopleWords } from './words.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

/** Lists the people who are invited and have not accepted yet. */
export function Invitations({ onInvite }: { readonly onInvite: () => void }) {
  const words = useWords()
  const { invitations: text, invite, list } = usePeopleWords()
  const [open, setOpen] = useState<{ readonly kind: 'again' | 'withdraw'; readonly of: Invitation } | null>(null)
  const close = (): void => setOpen(null)
  const pages = useCursorPages<Invitation>({ key: ['invitations'], pageSize: PEOPLE_PER_PAGE, ask: askInvitations })
  return (
    <>
      <QueryView query={pages.query}>
        {() =>
          pages.rows.length === 0 && !pages.isStale ? (
            <Empty
              title={text.empty}
              help={text.emptyHelp}
              action={<Button onPress={onInvite}>{invite.open}</Button>}
            />
          ) : (
            <>
              <DataTable
                label={text.table}
                rows={pages.rows}
                keyOf={({ id }) => id}
                firstRow={pages.firstRow}
                total={pages.total}
                isStale={pages.isStale}
                columns={[
                  { id: 'email', head: text.email, width: 'minmax(0, 2fr)', cell: ({ email }) => breakable(email) },
                  {
                    id: 'role',
                    head: list.role,
                    width: 'minmax(0, 1.2fr)',
                    cell: (row) => (
                      <>
                        {words.roles[row.role]}
                        <span className="second">{list.upTo(words.visibility[seenLevel(row)].name)}</span>
                      </>
                    ),
                  },
                  {
                    id: 'by',
                    head: text.by,
                    width: 'minmax(0, 1.4fr)',
                    cell: ({ invited_by: by }) => <Person person={by} none={text.byKey} />,
                  },
                  {
                    id: 'until',
                    head: text.until,
                    width: 'minmax(0, 1.1fr)',
                    cell: ({ expires_at: at }) => <LinkState until={at} />,
                  },
                  {
                    id: 'actions',
                    head: words.actions,
                    isActions: true,
                    width: 'minmax(0, 2.3fr)',
                    cell: (of) => (
                      <span className="row-choices">
                        <Button
                          size="small"
                          aria-label={text.againNamed(of.email)}
                          onPress={() => setOpen({ kind: 'again', of })}
                        >
                          {text.again}
                        </Button>
                        <Button
                          size="small"
                          aria-label={text.withdrawNamed(of.email)}
                          onPress={() => setOpen({ kind: 'withdraw', of })}
                        >
                          {text.withdraw}
                        </Button>
                      </span>
                    ),
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
      {open?.kind === 'again' ? <SendAgainDialog invitation={open.of} onClose={close} /> : null}
      {open?.kind === 'withdraw' ? <WithdrawDialog invitation={open.of} onClose={close} /> : null}
    </>
  )
}
