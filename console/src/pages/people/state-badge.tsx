import { usePeopleWords } from './words.ts'

/** Shows whether a person may sign in. */
export function StateBadge({ isDisabled }: { readonly isDisabled: boolean }) {
  const { list } = usePeopleWords()
  return (
    <span className={isDisabled ? 'badge badge-expired' : 'badge badge-active'}>
      {isDisabled ? list.states.disabled : list.states.active}
    </span>
  )
}
