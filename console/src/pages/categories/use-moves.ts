import { type DragAndDropHooks, useDragAndDrop } from 'react-aria-components'
import { useMoveCategory, useUpdateCategory } from '../../api/categories.ts'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { type CategoryTree, isWithin, type Place, placeBeside } from './model.ts'
import { useCategoriesWords } from './words.ts'

const KIND = 'category'

/** Moves a category below another one or beside one, and shows the outcome. */
function useMove(tree: CategoryTree) {
  const words = useCategoriesWords()
  const shared = useWords()
  const update = useUpdateCategory()
  const place = useMoveCategory()
  const nameOf = (id: string | null): string => (id === null ? '' : (tree.byId.get(id)?.name ?? ''))
  const reportTo = (id: string, done: string) => ({
    onSuccess: () => sayDone(done),
    onError: (error: Error) => sayFailed(`${words.moveFailed(nameOf(id))} ${faultText(error, shared)}`),
  })
  return {
    into: (id: string, parentId: string): void =>
      update.mutate({ id, parent_id: parentId }, reportTo(id, words.moved(nameOf(id), nameOf(parentId)))),
    beside: (id: string, { parentId, beforeId }: Place): void => {
      const isNeighbour = tree.byId.get(id)?.category.parent_id === parentId
      const name = nameOf(id)
      const elsewhere = parentId === null ? words.movedTop(name) : words.moved(name, nameOf(parentId))
      place.mutate(
        { id, parent_id: parentId, before_id: beforeId },
        reportTo(id, isNeighbour ? words.placed(name) : elsewhere),
      )
    },
  }
}

/**
 * Lets people drag categories, by pointer and by keyboard: a drop onto a category moves below it, a drop between two
 * moves to that place.
 * @param onInto called with the category that a dragged one was moved below
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
      const target = String(key)
      if (!tree.byId.has(target)) return
      for (const id of [...keys].map(String)) {
        const node = tree.byId.get(id)
        if (node === undefined || isWithin(tree, target, id)) continue
        if (dropPosition !== 'on') move.beside(id, placeBeside(tree, target, dropPosition, id))
        else if (node.category.parent_id !== target) {
          move.into(id, target)
          onInto(target)
        }
      }
    },
  })
  return dragAndDropHooks
}
