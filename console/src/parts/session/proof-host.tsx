import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { factorsQuery } from '../../api/factors.ts'
import { waitingChange } from '../../api/proved.ts'
import { useWords } from '../../i18n/language.tsx'
import { ProofDialog } from './proof-dialog.tsx'

/** Asks for the proof of a change that waits for one. Rendered once, by the frame or by the page without it. */
export function ProofHost() {
  const { proof } = useWords().security
  const change = useSyncExternalStore(waitingChange.subscribe, waitingChange.read)
  const factors = useQuery({ ...factorsQuery, enabled: change !== null })
  const { isError } = factors
  useEffect(() => {
    if (isError) change?.cancel()
  }, [isError, change])
  return change === null || factors.data === undefined ? null : (
    <ProofDialog
      key={change.id}
      text={proof.access}
      factors={factors.data}
      change={change.prove}
      onClose={change.cancel}
    />
  )
}
