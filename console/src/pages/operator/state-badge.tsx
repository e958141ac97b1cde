import type { TenantState } from './states.ts'
import { useOperatorWords } from './words.ts'

/** Shows the state of a tenant, by colour and word. */
export function StateBadge({ state }: { readonly state: TenantState }) {
  const { states } = useOperatorWords()
  return <span className={state === 'active' ? 'badge badge-active' : 'badge badge-caution'}>{states[state]}</span>
}
