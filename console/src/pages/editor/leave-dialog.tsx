import { LeaveGuard } from '../../parts/editing/leave-guard.tsx'
import { useEditorWords } from './words.ts'

/** Asks before the person leaves text that is nowhere but on the screen. */
export function LeaveDialog({ isNeeded }: { readonly isNeeded: boolean }) {
  const { leave } = useEditorWords()
  return <LeaveGuard isNeeded={() => isNeeded} words={leave} />
}
