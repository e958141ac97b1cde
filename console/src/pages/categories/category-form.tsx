import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateCategory, useUpdateCategory } from '../../api/categories.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { TextArea, TextField } from '../../parts/text-field.tsx'
import { sayDone } from '../../parts/toast.tsx'
import { useEdits } from '../../parts/use-edits.ts'
import type { CategoryNode } from './model.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/** @param props.node the category to change; null for a new one below `parent` */
export function CategoryForm(props: {
  readonly node: CategoryNode | null
  readonly parent: CategoryNode | null
  readonly onClose: () => void
}) {
  const { node, parent, onClose } = props
  const words = useCategoriesWords()
  const { cancel } = useWords()
  const navigate = route.useNavigate()
  const { shown, edits, edit } = useEdits({
    name: node?.name ?? '',
    description: node?.category.description ?? '',
  })
  const { name, description } = shown
  const [isTried, setTried] = useState(false)
  const create = useCreateCategory()
  const update = useUpdateCategory()
  const submit = (): void => {
    setTried(true)
    if (name.trim() === '') return
    const fields = {
      name: name.trim(),
      description: description.trim() === '' ? null : description,
    }
    if (node !== null) {
      // Its place is not the form's: somebody may have moved the category meanwhile.
      update.mutate(
        {
          id: node.id,
          ...(edits.name === undefined ? {} : { name: fields.name }),
          ...(edits.description === undefined ? {} : { description: fields.description }),
        },
        { onSuccess: () => (sayDone(words.saved), onClose()) },
      )
      return
    }
    create.mutate(
      { ...fields, parent_id: parent?.id ?? null },
      {
        onSuccess: ({ id }) => {
          sayDone(words.created(fields.name))
          void navigate({ search: () => ({ category: id }) })
          onClose()
        },
      },
    )
  }
  const title = node !== null ? words.editTitle : parent === null ? words.createTitle : words.createBelow(parent.name)
  const isPending = create.isPending || update.isPending
  return (
    <Dialog title={title} onClose={onClose} isBusy={isPending}>
      <Form names={['name', 'description']} error={create.error ?? update.error} onSubmit={submit}>
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
          help={words.descriptionHelp}
          isRequired={false}
          rows={3}
          maxLength={5_000}
          value={description}
          onChange={(typed) => edit({ description: typed })}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={isPending}>
            {cancel}
          </Button>
          <Button kind="main" type="submit" isPending={isPending}>
            {node === null ? words.create : words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
