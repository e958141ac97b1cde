import { useState } from 'react'
import { type PersonDetails, useChangePerson } from '../../api/people.ts'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { usePeopleWords } from './words.ts'

/** Says what disabling a person does, and does it. */
export function DisableDialog(props: { readonly person: PersonDetails; readonly onClose: () => void }) {
  const { person, onClose } = props
  const { leave: text } = usePeopleWords().person
  const change = useChangePerson(person.id)
  const [withKeys, setWithKeys] = useState(false)
  const name = nameOf(person)
  return (
    <ConfirmDialog
      title={text.disableTitle}
      text={text.disableText(name)}
      confirm={text.disable}
      choice={
        <Checkbox isSelected={withKeys} onChange={setWithKeys}>
          {text.issuedKeys(name)}
        </Checkbox>
      }
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { disabled: true, revoke_issued_keys: withKeys },
          {
            onSuccess: () => {
              sayDone(text.disabled(name))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
