import { getRouteApi } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleList } from './people-list.tsx'
import { usePeopleWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/settings/people')

/** Lists the people of the organisation, and the invitations. */
export function PeoplePage() {
  const words = usePeopleWords()
  const mayManage = useMay('tenant:admin')
  if (mayManage) return <People />
  return (
    <Page title={words.title}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}

function People() {
  const words = usePeopleWords()
  const { part = 'people' } = route.useSearch()
  const navigate = route.useNavigate()
  const [isInviting, setInviting] = useState(false)
  const invite = (): void => setInviting(true)
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        <Button kind="main" onPress={invite}>
          {words.invite.open}
        </Button>
      }
    >
      <Tabs<'people' | 'invitations'>
        label={words.title}
        tabs={[
          { id: 'people', name: words.parts.people, content: <PeopleList /> },
          { id: 'invitations', name: words.parts.invitations, content: <Invitations onInvite={invite} /> },
        ]}
        chosen={part}
        onChoose={(id) => void navigate({ search: id === 'people' ? {} : { part: id } })}
      />
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  )
}
