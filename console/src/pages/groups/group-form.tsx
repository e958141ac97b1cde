import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '../../api/groups.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { TextArea, TextField } from '../../parts/text-field.tsx'
import { sayDone } from '../../parts/toast.tsx'
import { useEdits } from '../../parts/use-edits.ts'
import { GROUPS, type NamedKind } from './groups.ts'
import { useGroupsWords } from './words.ts'

/** @param props.group the one to change; null for a new one, which `onDone` gets */
export function GroupForm(props: {
  readonly kind: NamedKind
  readonly group: Group | null
  readonly onDone?: (made: Group | null) => void
  readonly onClose: () => void
}) {
  const { kind, group, onClose } = props
  const words = useGroupsWords()
  const { cancel } = useWords()
  const queries = useQueryClient()
  const { shown, edits, edit } = useEdits({ name: group?.name ?? '', description: group?.description ?? '' })
  const { name, description } = shown
  const [isTried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: async (): Promise<Group | null> => {
      const fields = { name: name.trim(), description: description.trim() === '' ? null : description }
      if (group === null) return GROUPS[kind].create(fields)
      await GROUPS[kind].update(group.id, {
        ...(edits.name === undefined ? {} : { name: fields.name }),
        ...(edits.description === undefined ? {} : { description: fields.description }),
      })
      return null
    },
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: [kind] })
      sayDone(made === null ? words.saved : words.kinds[kind].created(made.name))
      props.onDone?.(made)
      onClose()
    },
  })
  const submit = (): void => {
    setTried(true)
    if (name.trim() !== '') save.mutate()
  }
  return (
    <Dialog
      title={group === null ? words.kinds[kind].createTitle : words.kinds[kind].editTitle}
      onClose={onClose}
      isBusy={save.isPending}
    >
      <Form names={['name', 'description']} error={save.error} onSubmit={submit}>
        <TextField
          name="name"
          label={words.name}
          value={name}
          onChange={(typed) => edit({ name: typed })}
          maxLength={200}
          fault={isTried && name.trim() === '' ? words.nameNeeded : null}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway
          autoFocus
        />
        <TextArea
          name="description"
          label={words.description}
          isRequired={false}
          rows={3}
          maxLength={5_000}
          value={description}
          onChange={(typed) => edit({ description: typed })}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={save.isPending}>
            {cancel}
          </Button>
          <Button kind="main" type="submit" isPending={save.isPending}>
            {group === null ? words.kinds[kind].create : words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
