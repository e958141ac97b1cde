import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Lock, SearchX } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { JudgedSet } from '../../api/judged-sets.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { JudgedFile } from './file.tsx'
import { judgedSetQuery, useRemoveSet } from './queries.ts'
import { Measurements } from './measurements.tsx'
import { Searches } from './searches.tsx'
import { useJudgedSetWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/judged-sets/$setId')

/** Shows one judged set: measuring, quality over time, comparing, its searches. */
export function JudgedSetPage() {
  const words = useJudgedSetWords()
  const { setId } = route.useParams()
  const mayUse = useMay('tenant:admin')
  const set = useQuery({ ...judgedSetQuery(setId), enabled: mayUse })
  const isGone = set.error instanceof ApiFault && [404, 422].includes(set.error.status)
  if (!mayUse || isGone) {
    return (
      <Page title={words.title}>
        {mayUse ? (
          <Empty
            icon={SearchX}
            title={words.gone}
            help={words.goneHelp}
            action={<Link to="/console/judged-sets">{words.all}</Link>}
          />
        ) : (
          <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
        )}
      </Page>
    )
  }
  return (
    <Page
      title={set.data?.name ?? words.title}
      intro={set.data === undefined ? undefined : words.about[set.data.section]}
      action={set.data === undefined ? undefined : <Removal set={set.data} />}
    >
      <QueryView query={set}>
        {(loaded) => (
          <>
            <Measurements set={loaded} />
            <Searches set={loaded} />
            <JudgedFile set={loaded} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Removal({ set }: { readonly set: JudgedSet }) {
  const words = useJudgedSetWords()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoveSet(set.id)
  return (
    <>
      <Button onPress={() => setAsking(true)}>{words.delete}</Button>
      {isAsking ? (
        <ConfirmDialog
          title={words.deleteTitle}
          text={words.deleteText(set.name)}
          confirm={words.delete}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => {
                sayDone(words.deleted(set.name))
                void navigate({ to: '/console/judged-sets' })
              },
            })
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
