import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, everyPage } from '../../api/client.ts'
import { useSession } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { isRole } from '../../parts/session/permissions.tsx'
import { nameOf, Person } from '../../parts/text/person.tsx'
import { PersonPick } from '../../parts/fields/person-pick.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useGroupsWords } from './words.ts'

const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspaces', id, 'members'],
    queryFn: ({ signal }) =>
      everyPage((query) =>
        api.GET('/api/knowledge/workspaces/{workspace_id}/members', {
          params: { path: { workspace_id: id }, query: { ...query, include_role: true } },
          signal,
        }),
      ),
  })

interface Member {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role?: string
}

/** Lists the members of a workspace, with their roles. */
export function MembersPanel({ id }: { readonly id: string }) {
  const words = useGroupsWords()
  const shared = useWords()
  const { user: me } = useSession()
  const members = useQuery(membersQuery(id))
  const queries = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: membersQuery(id).queryKey })
  const reportFailure = (error: unknown): void => sayFailed(faultText(error, shared))
  const remove = useMutation({
    mutationFn: ({ user_id: userId }: Member) =>
      answerOf(
        api.DELETE('/api/knowledge/workspaces/{workspace_id}/members/{user_id}', {
          params: { path: { workspace_id: id, user_id: userId } },
        }),
      ),
    onSuccess: (_, member) => {
      sayDone(words.memberRemoved(nameOf(member)))
      setLeaving(false)
    },
    onError: reportFailure,
    onSettled: refresh,
  })
  const isMe = (member: Member): boolean => member.user_id === me.id
  return (
    <>
      <AddMember id={id} members={members.data ?? []} onSettled={refresh} />
      <QueryView query={members}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={words.noMembers} help={words.noMembersHelp} />
          ) : (
            <DataTable
              label={words.members}
              rows={list}
              keyOf={(member) => member.user_id}
              columns={[
                {
                  id: 'person',
                  head: words.person,
                  width: '3fr',
                  cell: (member) => <Person person={member} none={words.nobody} />,
                },
                {
                  id: 'role',
                  head: words.role,
                  width: '2fr',
                  cell: ({ role = '' }) => (isRole(role) ? shared.roles[role] : role),
                },
                {
                  id: 'actions',
                  head: shared.actions,
                  width: '8rem',
                  isActions: true,
                  cell: (member) => (
                    <Button
                      size="small"
                      aria-label={isMe(member) ? words.leave : words.takeOutNamed(nameOf(member))}
                      onPress={() => (isMe(member) ? setLeaving(true) : remove.mutate(member))}
                    >
                      {isMe(member) ? words.leave : words.takeOut}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
      {isLeaving ? (
        <ConfirmDialog
          title={words.leaveTitle}
          text={words.leaveText}
          confirm={words.leave}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => {
            const own = members.data?.find(isMe)
            if (own !== undefined) remove.mutate(own)
          }}
          onClose={() => setLeaving(false)}
        />
      ) : null}
    </>
  )
}

function AddMember(props: {
  readonly id: string
  readonly members: readonly Member[]
  readonly onSettled: () => Promise<unknown>
}) {
  const words = useGroupsWords()
  const shared = useWords()
  const [addedCount, setAddedCount] = useState(0)
  const add = useMutation({
    mutationFn: ({ userId }: { readonly userId: string; readonly name: string }) =>
      answerOf(
        api.POST('/api/knowledge/workspaces/{workspace_id}/members', {
          params: { path: { workspace_id: props.id } },
          body: { user_ids: [userId] },
        }),
      ),
    onSuccess: (_, { name }) => {
      sayDone(words.memberAdded(name))
      setAddedCount((count) => count + 1)
    },
    onError: (error) => sayFailed(faultText(error, shared)),
    onSettled: props.onSettled,
  })
  return (
    <PersonPick
      key={addedCount}
      label={words.addMember}
      help={words.addMemberHelp}
      except={props.members.map(({ user_id: userId }) => userId)}
      isActive
      chosen={null}
      onChoose={(userId, name) => {
        if (userId !== null) add.mutate({ userId, name })
      }}
    />
  )
}
