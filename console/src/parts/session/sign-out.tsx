import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countUnsaved, endSession } from '../../api/sign-out.ts'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'

interface SignOut {
  readonly signOut: () => void
  readonly isBusy: boolean
  /** Why it failed; null while the question says it. */
  readonly error: Error | null
  /** Asks before texts that only this device has are erased. Drawn by whoever offers the sign-out. */
  readonly question: ReactNode
}

/**
 * Signs out whoever is signed in. Before texts of theirs are erased that only this device has, it asks.
 * @param onLeft called once nobody is signed in
 */
export function useSignOut(onLeft: () => void, onFailed?: (error: Error) => void): SignOut {
  const { frame } = useWords()
  const queries = useQueryClient()
  const [unsaved, setUnsaved] = useState(0)
  const leaving = useMutation({
    mutationFn: async (isAsked: boolean): Promise<number> => {
      const count = isAsked ? 0 : await countUnsaved()
      if (count === 0) await endSession()
      return count
    },
    onSuccess: (count) => {
      setUnsaved(count)
      if (count > 0) return
      // Nothing that was loaded stays in memory.
      queries.clear()
      onLeft()
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
        isBusy={leaving.isPending}
        error={leaving.error}
        onConfirm={() => leaving.mutate(true)}
        onClose={() => setUnsaved(0)}
      />
    )
  return {
    signOut: () => leaving.mutate(false),
    isBusy: leaving.isPending,
    error: unsaved === 0 ? leaving.error : null,
    question,
  }
}
