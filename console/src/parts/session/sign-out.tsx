import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countUnsaved, endSession } from '../../api/sign-out.ts'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'

interface SignOut {
  readonly signOut: () => void
  readonly isBusy: boolean
  /** Reason why the sign-out failed; null while the question shows it. */
  readonly error: Error | null
  /** Question before texts that only this device has are erased. The caller renders it. */
  readonly question: ReactNode
}

/**
 * Signs the person out. Asks before it erases texts of theirs that only this device has.
 * @param onLeft called once the person is signed out
 */
export function useSignOut(onLeft: () => void, onFailed?: (error: Error) => void): SignOut {
  const { frame } = useWords()
  const queries = useQueryClient()
  const [unsaved, setUnsaved] = useState(0)
  const ending = useMutation({
    mutationFn: async (isAsked: boolean): Promise<{ count: number; next: string | null }> => {
      const count = isAsked ? 0 : await countUnsaved()
      return { count, next: count === 0 ? await endSession() : null }
    },
    onSuccess: ({ count, next }) => {
      setUnsaved(count)
      if (count > 0) return
      // No loaded data stays in memory.
      queries.clear()
      if (next === null) onLeft()
      else window.location.assign(next)
    },
    onError: (error) => {
      if (unsaved === 0) onFailed?.(error)
    },
  })
  const question =
    unsaved === 0 ? null : (
      <ConfirmDialog
        title={frame.unsaved.title}
        text={frame.unsaved.text(unsaved)}
        confirm={frame.unsaved.erase}
        isBusy={ending.isPending}
        error={ending.error}
        onConfirm={() => ending.mutate(true)}
        onClose={() => setUnsaved(0)}
      />
    )
  return {
    signOut: () => ending.mutate(false),
    isBusy: ending.isPending,
    error: unsaved === 0 ? ending.error : null,
    question,
  }
}
