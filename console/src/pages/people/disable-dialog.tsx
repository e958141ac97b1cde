import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonDetails, personAccessQuery, useDisablePerson } from '../../api/people.ts'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { EndingAccess, NO_RECEIVERS } from './ending-access.tsx'
import { usePeopleWords } from './words.ts'

/**
 * Says what disabling a person ends, and does it. For a person who is disabled already, only what the person issued is
 * left to end.
 */
export function DisableDialog(props: { readonly person: PersonDetails; readonly onClose: () => void }) {
  const { person, onClose } = props
  const { leave: text } = usePeopleWords().person
  const disable = useDisablePerson(person.id)
  const access = useQuery(personAccessQuery(person.id))
  const [receivers, setReceivers] = useState(NO_RECEIVERS)
  const name = nameOf(person)
  return (
    <ConfirmDialog
      title={person.disabled ? text.endTitle : text.disableTitle}
      text={person.disabled ? text.endText(name) : text.disableText(name)}
      confirm={person.disabled ? text.endNow : text.disable}
      choice={
        <QueryView query={access}>
          {(ending) => <EndingAccess person={person} access={ending} receivers={receivers} onChange={setReceivers} />}
        </QueryView>
      }
      isBusy={disable.isPending}
      isReady={access.data !== undefined}
      error={disable.error}
      onConfirm={() =>
        disable.mutate(receivers, {
          onSuccess: () => {
            sayDone(person.disabled ? text.ended(name) : text.disabled(name))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
