import { CategoryForm } from './category-form.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import type { CategoryNode, CategoryTree } from './model.ts'
import { MoveDialog } from './move-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

export type OpenDialog =
  | { readonly kind: 'create'; readonly parent: CategoryNode | null }
  | { readonly kind: 'edit' | 'move' | 'merge' | 'remove'; readonly node: CategoryNode }
  | null

/** Shows the open dialog, if there is one. */
export function Dialogs(props: {
  readonly open: OpenDialog
  readonly tree: CategoryTree
  readonly onClose: () => void
}) {
  const { open, tree, onClose } = props
  switch (open?.kind) {
    case 'create':
      return <CategoryForm node={null} parent={open.parent} onClose={onClose} />
    case 'edit':
      return <CategoryForm node={open.node} parent={null} onClose={onClose} />
    case 'move':
      return <MoveDialog node={open.node} tree={tree} onClose={onClose} />
    case 'merge':
      return <MergeDialog node={open.node} tree={tree} onClose={onClose} />
    case 'remove': {
      const { node } = open
      // A category that is not empty is merged into another: nothing is deleted by accident.
      const isEmpty = node.entries === 0 && node.children.length === 0
      return isEmpty ? (
        <RemoveDialog node={node} onClose={onClose} />
      ) : (
        <MergeDialog node={node} tree={tree} isRemoval onClose={onClose} />
      )
    }
    default:
      return null
  }
}
