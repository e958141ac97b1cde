import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonDetails, personAccessQuery, useChangePerson } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { nameOf } from '../../parts/text/person.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { usePeopleWords } from './words.ts'

/** Shows the actions that disable, enable or erase a person. */
export function LeaveSection({ person }: { readonly person: PersonDetails }) {
  const words = useWords()
  const { leave: text } = usePeopleWords().person
  const access = useQuery({ ...personAccessQuery(person.id), enabled: person.disabled })
  const isLeft = access.data !== undefined && access.data.issued_api_keys.length + access.data.oauth_clients.length > 0
  const enable = useChangePerson(person.id)
  const [open, setOpen] = useState<'disable' | 'erase' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Section title={text.title}>
      <div className="leave-choice">
        <p>{person.disabled ? text.enableHelp : text.disableHelp}</p>
        {person.disabled ? (
          <Button
            isPending={enable.isPending}
            onPress={() =>
              enable.mutate(
                { disabled: false },
                {
                  onSuccess: () => sayDone(text.enabled(nameOf(person))),
                  onError: (error) => sayFailed(faultText(error, words)),
                },
              )
            }
          >
            {text.enable}
          </Button>
        ) : (
          <Button onPress={() => setOpen('disable')}>{text.disable}</Button>
        )}
      </div>
      {person.disabled && isLeft ? (
        <div className="leave-choice">
          <p>{text.endHelp}</p>
          <Button onPress={() => setOpen('disable')}>{text.end}</Button>
        </div>
      ) : null}
      <div className="leave-choice">
        <p>{text.eraseHelp}</p>
        <Button onPress={() => setOpen('erase')}>{text.erase}</Button>
      </div>
      {open === 'disable' ? <DisableDialog person={person} onClose={close} /> : null}
      {open === 'erase' ? <EraseDialog person={person} onClose={close} /> : null}
    </Section>
  )
}
