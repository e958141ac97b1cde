import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { factorsQuery } from '../../api/factors.ts'
import { type Act, waitingChange } from '../../api/proved.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { ProofDialog } from './proof-dialog.tsx'

/** Asks for the proof of a change that waits for one. Rendered once, by the frame or by the page without it. */
export function ProofHost() {
  const words = useWords()
  const change = useSyncExternalStore(waitingChange.subscribe, waitingChange.read)
  const factors = useQuery({ ...factorsQuery, enabled: change !== null })
  const { isError } = factors
  useEffect(() => {
    if (isError) change?.cancel()
  }, [isError, change])
  return change === null || factors.data === undefined ? null : (
    <ProofDialog
      key={change.id}
      text={textOf(change.act, words)}
      factors={factors.data}
      change={change.prove}
      onClose={change.cancel}
    />
  )
}

function textOf(act: Act, { security: { proof } }: Words): string {
  return 'name' in act ? proof.acts[act.kind](act.name) : proof.acts[act.kind]
}
