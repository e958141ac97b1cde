import { getRouteApi } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import { useRemoveCategory } from '../../api/categories.ts'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import type { CategoryNode } from './model.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/** Deletes an empty category. */
export function RemoveDialog({ node, onClose }: { readonly node: CategoryNode; readonly onClose: () => void }) {
  const words = useCategoriesWords()
  const navigate = route.useNavigate()
  const remove = useRemoveCategory()
  // The category looked empty, so entries that the person does not see keep it.
  const isHidden = remove.error instanceof ApiFault && remove.error.status === 409
  return (
    <ConfirmDialog
      title={words.removeTitle(node.name)}
      text={words.removeText}
      confirm={words.remove}
      isBusy={remove.isPending}
      error={isHidden ? null : remove.error}
      choice={
        isHidden ? (
          <Notice tone="warning" role="alert">
            {words.hiddenLeft}
          </Notice>
        ) : null
      }
      onConfirm={() =>
        remove.mutate(node.id, {
          onSuccess: () => {
            sayDone(words.removed(node.name))
            void navigate({ search: (now) => ({ ...now, category: undefined }), replace: true })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
