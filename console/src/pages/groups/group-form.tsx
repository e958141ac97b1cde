import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '../../api/groups.ts'
import { NamedDialog } from '../../parts/editing/named-dialog.tsx'
import { type NamedFields, namedFields, sentFields } from '../../parts/editing/named-fields.ts'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useSharedEdits } from '../../parts/editing/use-shared-edits.ts'
import { GROUPS, type NamedKind } from './groups.ts'
import { useGroupsWords } from './words.ts'

/**
 * Asks for the fields of a project or workspace.
 * @param props.group group to change; null for a new one, which `onDone` gets
 */
export function GroupForm(props: {
  readonly kind: NamedKind
  readonly group: Group | null
  readonly onDone?: (created: Group | null) => void
  readonly onClose: () => void
}) {
  const { kind, group, onClose } = props
  const words = useGroupsWords()
  const queries = useQueryClient()
  const form = useSharedEdits<NamedFields, unknown>({
    stored: namedFields(group),
    read: async () => {
      const { value, etag } = await GROUPS[kind].read(group!.id)
      return { value: namedFields(value), etag }
    },
    write: (changes, { etag }) => GROUPS[kind].update(group!.id, sentFields(changes), etag),
    onCollision: () => void queries.invalidateQueries({ queryKey: [kind] }),
  })
  const { values, edits } = form
  const { name, description } = values
  const [isTried, setTried] = useState(false)
  const done = async (created: Group | null): Promise<void> => {
    await queries.invalidateQueries({ queryKey: [kind] })
    sayDone(created === null ? words.saved : words.kinds[kind].created(created.name))
    props.onDone?.(created)
    onClose()
  }
  const create = useMutation({
    mutationFn: () =>
      GROUPS[kind].create({ name: name.trim(), description: description.trim() === '' ? null : description }),
    onSuccess: done,
  })
  const submit = (): void => {
    setTried(true)
    if (name.trim() === '') return
    if (group === null) create.mutate()
    else form.save(edits.name === undefined ? edits : { ...edits, name: name.trim() }, () => void done(null))
  }
  return (
    <NamedDialog
      title={group === null ? words.kinds[kind].createTitle : words.kinds[kind].editTitle}
      words={words}
      values={values}
      theirs={form.theirs}
      error={create.error ?? form.error}
      isBusy={create.isPending || form.isSaving}
      isTried={isTried}
      submitLabel={group === null ? words.kinds[kind].create : words.save}
      onEdit={form.edit}
      onSubmit={submit}
      onTake={form.takeTheirs}
      onClose={onClose}
    />
  )
}
