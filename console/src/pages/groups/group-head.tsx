import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { Group, GroupKind } from '../../api/groups.ts'
import { type Site, sitesQuery } from '../../api/sites.ts'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { GroupForm } from './group-form.tsx'
import { REMOVE } from './groups.ts'
import { SiteFacts } from './site-facts.tsx'
import { SiteForm } from './site-form.tsx'
import { useGroupsWords } from './words.ts'

/** Shows the name and the description of a group, and actions for it as a whole. */
export function GroupHead(props: {
  readonly kind: GroupKind
  readonly group: Group
  readonly mayChange: boolean
  readonly onGone: () => void
}) {
  const { kind, group, mayChange } = props
  const words = useGroupsWords()
  const queries = useQueryClient()
  const site = useSite(kind === 'sites' ? group.id : null)
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const close = (): void => setOpen(null)
  const remove = useMutation({
    mutationFn: () => REMOVE[kind](group.id),
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
        {mayChange ? (
          <span className="row">
            <Button size="small" icon={Pencil} onPress={() => setOpen('edit')}>
              {kind === 'sites' ? words.site.edit : words.edit}
            </Button>
            {site?.is_default === true ? null : (
              <Button size="small" icon={Trash2} onPress={() => setOpen('remove')}>
                {words.remove}
              </Button>
            )}
          </span>
        ) : null}
      </div>
      {group.description === null || group.description === undefined ? null : (
        <p className="wrap">{group.description}</p>
      )}
      {site === null ? null : <SiteFacts site={site} />}
      {open !== 'edit' ? null : kind === 'sites' ? (
        site === null ? null : (
          <SiteForm site={site} onClose={close} />
        )
      ) : (
        <GroupForm kind={kind} group={group} onClose={close} />
      )}
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

/** Returns a site with all its fields; null for another kind of group. */
function useSite(id: string | null): Site | null {
  const { data } = useQuery({ ...sitesQuery, enabled: id !== null })
  return id === null ? null : (data?.find((site) => site.id === id) ?? null)
}
