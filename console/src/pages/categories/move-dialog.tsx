import { useState } from 'react'
import { useUpdateCategory } from '../../api/categories.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { PickField } from '../../parts/fields/pick-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import type { CategoryNode, CategoryTree } from './model.ts'
import { targetsFor } from './targets.ts'
import { useCategoriesWords } from './words.ts'

const TOP = 'top'

/** Moves a category with all categories below it. */
export function MoveDialog(props: {
  readonly node: CategoryNode
  readonly tree: CategoryTree
  readonly onClose: () => void
}) {
  const { node, tree, onClose } = props
  const words = useCategoriesWords()
  const { cancel } = useWords()
  const update = useUpdateCategory()
  const [target, setTarget] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const submit = (): void => {
    setTried(true)
    if (target === null) return
    const parentId = target === TOP ? null : target
    const to = parentId === null ? null : (tree.byId.get(parentId)?.name ?? '')
    update.mutate(
      { id: node.id, parent_id: parentId },
      {
        onSuccess: () => {
          sayDone(to === null ? words.movedTop(node.name) : words.moved(node.name, to))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={words.moveTitle(node.name)} onClose={onClose} isBusy={update.isPending}>
      <Form names={['parent_id']} error={update.error} onSubmit={submit}>
        <p className="dialog-text">{words.moveHelp}</p>
        <PickField
          label={words.moveInto}
          help={words.targetHelp}
          fault={isTried && target === null ? words.targetNeeded : null}
          choices={[{ id: TOP, name: words.topLevel }, ...targetsFor(tree, node.id)]}
          chosen={target}
          onChoose={setTarget}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={update.isPending}>
            {cancel}
          </Button>
          <Button kind="main" type="submit" isPending={update.isPending}>
            {words.move}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
