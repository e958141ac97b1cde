import { useRouter } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type PersonDetails, personAccessQuery, useErasePerson } from '../../api/people.ts'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { EndingAccess, NO_RECEIVERS } from './ending-access.tsx'
import { usePeopleWords } from './words.ts'

/** Says what erasing a person does, and does it once their address was typed. */
export function EraseDialog(props: { readonly person: PersonDetails; readonly onClose: () => void }) {
  const { person, onClose } = props
  const { leave: text } = usePeopleWords().person
  const router = useRouter()
  const erase = useErasePerson(person.id)
  const access = useQuery(personAccessQuery(person.id))
  const [receivers, setReceivers] = useState(NO_RECEIVERS)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  const name = nameOf(person)
  const isRight = typed.trim().toLowerCase() === person.email
  return (
    <ConfirmDialog
      title={text.eraseTitle(name)}
      text={text.eraseText}
      confirm={text.eraseNow}
      choice={
        <>
          <ul className="erase-facts">
            {text.eraseFacts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
          <QueryView query={access}>
            {(ending) => <EndingAccess person={person} access={ending} receivers={receivers} onChange={setReceivers} />}
          </QueryView>
          <TextField
            inputRef={input}
            label={text.eraseConfirm(person.email)}
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            fault={isChecked && !isRight ? text.eraseMismatch : null}
          />
        </>
      }
      isBusy={erase.isPending}
      isReady={access.data !== undefined}
      error={erase.error}
      onConfirm={() => {
        setChecked(true)
        if (!isRight) input.current?.focus()
        if (!isRight || erase.isPending) return
        erase.mutate(receivers, {
          onSuccess: () => {
            sayDone(text.erased(name))
            void router.navigate({ to: '/console/settings/people' })
          },
        })
      }}
      onClose={onClose}
    />
  )
}
