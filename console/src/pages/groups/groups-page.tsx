import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Group, type GroupKind, groupsQuery } from '../../api/groups.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { EntriesPanel } from './entries-panel.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupHead } from './group-head.tsx'
import { GroupList } from './group-list.tsx'
import { MembersPanel } from './members-panel.tsx'
import { SiteForm } from './site-form.tsx'
import { useGroupsWords } from './words.ts'

/**
 * Shows a list of groups, and the entries or members of the chosen one.
 * @param props.changeScope scope that changing them needs
 */
export function GroupsPage({ kind, changeScope }: { readonly kind: GroupKind; readonly changeScope: string }) {
  const words = useGroupsWords().kinds[kind]
  const mayChange = useMay(changeScope)
  const list = useQuery(groupsQuery(kind))
  const { id = null } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const choose = (chosen: string | undefined): void =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, id: chosen }) })
  const add = mayChange ? (
    <Button kind="main" icon={Plus} onPress={() => setCreating(true)}>
      {words.add}
    </Button>
  ) : null
  return (
    <Page title={words.title} intro={words.intro} action={add}>
      <QueryView query={list}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty title={words.empty} help={mayChange ? words.emptyHelp : words.emptyReader} />
          ) : (
            <div className="groups">
              <GroupList kind={kind} groups={groups} />
              <ChosenGroup kind={kind} groups={groups} id={id} mayChange={mayChange} onGone={() => choose(undefined)} />
            </div>
          )
        }
      </QueryView>
      {!isCreating ? null : kind === 'sites' ? (
        <SiteForm site={null} onDone={(created) => choose(created.id)} onClose={() => setCreating(false)} />
      ) : (
        <GroupForm
          kind={kind}
          group={null}
          onDone={(created) => choose(created?.id)}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  )
}

function ChosenGroup(props: {
  readonly kind: GroupKind
  readonly groups: readonly Group[]
  readonly id: string | null
  readonly mayChange: boolean
  readonly onGone: () => void
}) {
  const { kind, groups, id, mayChange } = props
  const words = useGroupsWords().kinds[kind]
  const group = groups.find((each) => each.id === id)
  if (group === undefined)
    return (
      <div className="groups-chosen">
        <Empty title={id === null ? words.choose : words.gone} />
      </div>
    )
  const isOfPeople = kind === 'workspaces'
  return (
    <div className="groups-chosen stack" key={group.id}>
      <GroupHead kind={kind} group={group} mayChange={mayChange} onGone={props.onGone} />
      {mayChange ? null : <p className="quiet">{words.readOnly}</p>}
      {isOfPeople ? (
        mayChange ? (
          <MembersPanel id={group.id} />
        ) : null
      ) : (
        <EntriesPanel kind={kind} id={group.id} mayChange={mayChange} />
      )}
    </div>
  )
}
