import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardCheck, Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { type JudgedSet, judgedSetsQuery } from '../../api/judged-sets.ts'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Day } from '../../parts/text/time.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { useJudgedSetsWords } from './words.ts'

/** Lists all judged sets of the organisation. */
export function JudgedSetsPage() {
  const words = useJudgedSetsWords()
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button kind="main" icon={Plus} onPress={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  if (!useMay('tenant:admin')) {
    return (
      <Page title={words.title}>
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      </Page>
    )
  }
  return (
    <Page title={words.title} intro={words.intro} action={create}>
      <Sets />
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function Sets() {
  const words = useJudgedSetsWords()
  const sets = useQuery(judgedSetsQuery)
  return (
    <QueryView query={sets}>
      {(list) =>
        list.length === 0 ? (
          <Empty icon={ClipboardCheck} title={words.empty} help={words.emptyHelp} />
        ) : (
          <SetTable sets={list} />
        )
      }
    </QueryView>
  )
}

function SetTable({ sets }: { readonly sets: readonly JudgedSet[] }) {
  const { formats } = useLanguage()
  const words = useJudgedSetsWords()
  return (
    <Table
      label={words.title}
      rows={sets}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.name,
          cell: ({ id, name }) => (
            <Link to="/console/judged-sets/$setId" params={{ setId: id }} className="wrap">
              {name}
            </Link>
          ),
        },
        { head: words.section, cell: ({ section }) => words.sections[section] },
        { head: words.queries, cell: ({ queries }) => formats.number(queries) },
        { head: words.created, cell: ({ created_at }) => <Day iso={created_at} /> },
      ]}
    />
  )
}
