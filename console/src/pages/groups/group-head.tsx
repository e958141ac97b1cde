import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { Group, GroupKind } from '../../api/groups.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { sayDone } from '../../parts/toast.tsx'
import { GroupForm } from './group-form.tsx'
import { GROUPS } from './groups.ts'
import { useGroupsWords } from './words.ts'

/** Name and description of a group, and what may be done with it as a whole. */
export function GroupHead(props: {
  readonly kind: GroupKind
  readonly group: Group
  readonly mayChange: boolean
  readonly onGone: () => void
}) {
  const { kind, group, mayChange } = props
  const words = useGroupsWords()
  const queries = useQueryClient()
  const { update, remove: removeGroup } = GROUPS[kind]
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const close = (): void => setOpen(null)
  const remove = useMutation({
    mutationFn: async () => removeGroup?.(group.id),
    onSuccess: async () => {
      sayDone(words.kinds[kind].removed(group.name))
      close()
      props.onGone()
      await queries.invalidateQueries({ queryKey: [kind] })
    },
  })
  const isFull = remove.error instanceof ApiFault && remove.error.status === 409
  return (
    <>
      <div className="groups-head">
        <h2 className="wrap">{group.name}</h2>
        {mayChange && update !== null ? (
          <span className="row">
            <Button size="small" icon={Pencil} onPress={() => setOpen('edit')}>
              {words.edit}
            </Button>
            <Button size="small" icon={Trash2} onPress={() => setOpen('remove')}>
              {words.remove}
            </Button>
          </span>
        ) : null}
      </div>
      {group.description === null || group.description === undefined ? null : (
        <p className="wrap">{group.description}</p>
      )}
      {open === 'edit' ? <GroupForm kind={kind} group={group} onClose={close} /> : null}
      {open === 'remove' ? (
        <ConfirmDialog
          title={words.kinds[kind].removeTitle(group.name)}
          text={words.kinds[kind].removeText}
          confirm={words.remove}
          isBusy={remove.isPending}
          error={isFull ? null : remove.error}
          choice={
            isFull ? (
              <Notice tone="warning" role="alert">
                {words.kinds[kind].notEmpty}
              </Notice>
            ) : null
          }
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      ) : null}
    </>
  )
}
