import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { categoriesQuery, changeCategory, readCategory, useCreateCategory } from '../../api/categories.ts'
import { NamedDialog } from '../../parts/editing/named-dialog.tsx'
import { type NamedFields, namedFields, sentFields } from '../../parts/editing/named-fields.ts'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useSharedEdits } from '../../parts/editing/use-shared-edits.ts'
import type { CategoryNode } from './model.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/**
 * Asks for the name and the description of a category.
 * @param props.node category to change; null for a new one below `parent`
 */
export function CategoryForm(props: {
  readonly node: CategoryNode | null
  readonly parent: CategoryNode | null
  readonly onClose: () => void
}) {
  const { node, parent, onClose } = props
  const words = useCategoriesWords()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const category = useSharedEdits<NamedFields, unknown>({
    stored: namedFields(node?.category ?? null),
    read: async () => {
      const { value, etag } = await readCategory(node!.id)
      return { value: namedFields(value), etag }
    },
    // The form sends no place: another person may have moved the category meanwhile.
    write: (changes, { etag }) => changeCategory(node!.id, sentFields(changes), etag),
    onCollision: () => void queries.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
  })
  const { values, edits } = category
  const { name, description } = values
  const [isTried, setTried] = useState(false)
  const create = useCreateCategory()
  const submit = (): void => {
    setTried(true)
    if (name.trim() === '') return
    if (node !== null) {
      category.save(edits.name === undefined ? edits : { ...edits, name: name.trim() }, () => {
        void queries.invalidateQueries({ queryKey: categoriesQuery.queryKey })
        sayDone(words.saved)
        onClose()
      })
      return
    }
    create.mutate(
      { name: name.trim(), description: description.trim() === '' ? null : description, parent_id: parent?.id ?? null },
      {
        onSuccess: ({ id, name: storedName }) => {
          sayDone(words.created(storedName))
          void navigate({ search: () => ({ category: id }) })
          onClose()
        },
      },
    )
  }
  const title = node !== null ? words.editTitle : parent === null ? words.createTitle : words.createBelow(parent.name)
  return (
    <NamedDialog
      title={title}
      words={words}
      values={values}
      theirs={category.theirs}
      error={create.error ?? category.error}
      isBusy={create.isPending || category.isSaving}
      isTried={isTried}
      submitLabel={node === null ? words.create : words.save}
      onEdit={category.edit}
      onSubmit={submit}
      onTake={category.takeTheirs}
      onClose={onClose}
    />
  )
}
