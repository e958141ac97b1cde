import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMergeCategory } from '../../api/categories.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { PickField } from '../../parts/fields/pick-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import type { CategoryNode, CategoryTree } from './model.ts'
import { targetsFor } from './targets.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/**
 * Moves the entries and categories of a category to another one; the empty category is then gone.
 * @param props.isRemoval whether the person wanted to delete the category, which is not empty
 */
export function MergeDialog(props: {
  readonly node: CategoryNode
  readonly tree: CategoryTree
  readonly isRemoval?: boolean
  readonly onClose: () => void
}) {
  const { node, tree, isRemoval = false, onClose } = props
  const words = useCategoriesWords()
  const { cancel } = useWords()
  const { formats } = useLanguage()
  const navigate = route.useNavigate()
  const merge = useMergeCategory()
  const [target, setTarget] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const [moved, setMoved] = useState(0)
  const targets = useMemo(() => targetsFor(tree, node.id), [tree, node.id])
  const submit = (): void => {
    setTried(true)
    if (target === null) return
    merge.mutate(
      { id: node.id, intoId: target, onMoved: setMoved },
      {
        onSuccess: () => {
          sayDone(words.merged(node.name, tree.byId.get(target)?.name ?? ''))
          void navigate({ search: (now) => ({ ...now, category: target }), replace: true })
          onClose()
        },
      },
    )
  }
  const entries = words.entries(node.entries, formats.number(node.entries))
  const categories = words.categories(node.children.length, formats.number(node.children.length))
  return (
    <Dialog
      title={isRemoval ? words.removeFullTitle(node.name) : words.mergeTitle(node.name)}
      onClose={onClose}
      isBusy={merge.isPending}
    >
      <Form names={['into_id']} error={merge.error} onSubmit={submit}>
        <p className="dialog-text">
          {isRemoval ? words.removeFull(entries, categories) : words.mergeWhat(node.name, entries, categories)}
        </p>
        <p className="dialog-text quiet">{words.mergeHidden}</p>
        <PickField
          label={words.mergeInto}
          help={words.targetHelp}
          fault={isTried && target === null ? words.targetNeeded : null}
          choices={targets}
          chosen={target}
          onChoose={setTarget}
        />
        <p className="quiet" role="status">
          {merge.isPending && moved > 0
            ? words.mergeProgress(formats.number(moved), formats.number(node.entries))
            : null}
        </p>
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={merge.isPending}>
            {cancel}
          </Button>
          <Button kind={isRemoval ? 'danger' : 'main'} type="submit" isPending={merge.isPending}>
            {words.mergeNow}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
