import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Product } from '../../api/products.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { removeProduct } from './queries.ts'
import { useProductWords } from './words.ts'

/** Shows the action that deletes the product, to people who may. */
export function Remove({ product }: { readonly product: Product }) {
  const words = useProductWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayWrite = useMay('products:write')
  const [isAsking, setAsking] = useState(false)
  const removing = useMutation({
    mutationFn: () => removeProduct(product.id),
    onSuccess: async () => {
      sayDone(words.removed)
      await navigate({ to: '/console/products' })
      queries.removeQueries({ queryKey: ['products', product.id] })
      await queries.invalidateQueries({ queryKey: ['products'] })
    },
  })
  if (!mayWrite) return null
  return (
    <>
      <Button icon={Trash2} onPress={() => setAsking(true)}>
        {words.remove}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={words.removeTitle(product.title)}
          text={words.removeText}
          confirm={words.remove}
          isBusy={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate()}
          onClose={() => {
            setAsking(false)
            removing.reset()
          }}
        />
      ) : null}
    </>
  )
}
