import { type PersonDetails, useResetFactors } from '../../api/people.ts'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { usePeopleWords } from './words.ts'

/** Asks before the second factors of a person end. */
export function ResetFactorsDialog(props: { readonly person: PersonDetails; readonly onClose: () => void }) {
  const { person, onClose } = props
  const { signIn: text } = usePeopleWords().person
  const name = nameOf(person)
  const reset = useResetFactors(person.id, name)
  return (
    <ConfirmDialog
      title={text.resetFactorsTitle}
      text={text.resetFactorsText(name)}
      confirm={text.resetFactors}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => {
            sayDone(text.factorsReset(name))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
