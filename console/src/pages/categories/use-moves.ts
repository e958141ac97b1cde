import { type DragAndDropHooks, useDragAndDrop } from 'react-aria-components'
import { useUpdateCategory } from '../../api/categories.ts'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../../parts/fault-text.ts'
import { sayDone, sayFailed } from '../../parts/toast.tsx'
import { type CategoryTree, isWithin } from './model.ts'
import { useCategoriesWords } from './words.ts'

const KIND = 'category'

/** Moves a category, and says where it is now. */
function useMove(tree: CategoryTree) {
  const words = useCategoriesWords()
  const shared = useWords()
  const update = useUpdateCategory()
  return (id: string, parentId: string | null): void => {
    const name = tree.byId.get(id)?.name ?? ''
    const to = parentId === null ? null : (tree.byId.get(parentId)?.name ?? '')
    update.mutate(
      { id, parent_id: parentId },
      {
        onSuccess: () => sayDone(to === null ? words.movedTop(name) : words.moved(name, to)),
        onError: (error) => sayFailed(`${words.moveFailed(name)} ${faultText(error, shared)}`),
      },
    )
  }
}

/**
 * Drag and drop of categories, by pointer and by keyboard: onto a category moves below it, between two moves beside
 * them.
 * @param onInto called with the category that got another one
 */
export function useMoves(tree: CategoryTree, onInto: (id: string) => void): DragAndDropHooks {
  const move = useMove(tree)
  const nameOf = (key: unknown): string => tree.byId.get(String(key))?.name ?? ''
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [KIND]: String(key), 'text/plain': nameOf(key) })),
    acceptedDragTypes: [KIND],
    getDropOperation: (_target, types) => (types.has(KIND) ? 'move' : 'cancel'),
    shouldAcceptItemDrop: (_target, types) => types.has(KIND),
    onMove: ({ keys, target: { key, dropPosition } }) => {
      const beside = tree.byId.get(String(key))?.category.parent_id ?? null
      const parentId = dropPosition === 'on' ? String(key) : beside
      if (!tree.byId.has(String(key))) return
      for (const each of keys) {
        const id = String(each)
        if (!tree.byId.has(id)) continue
        if (tree.byId.get(id)?.category.parent_id === parentId) continue
        if (parentId !== null && isWithin(tree, parentId, id)) continue
        move(id, parentId)
        if (parentId !== null) onInto(parentId)
      }
    },
  })
  return dragAndDropHooks
}
