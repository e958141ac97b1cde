import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonDetails, personSignInQuery } from '../../api/people.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { NewPasswordDialog } from './new-password-dialog.tsx'
import { ResetFactorsDialog } from './reset-factors-dialog.tsx'
import { usePeopleWords } from './words.ts'

/** Shows what a person signs in with, and actions for a person who has lost it. */
export function SignInSection(props: { readonly person: PersonDetails; readonly isChangeable: boolean }) {
  const { person, isChangeable } = props
  const { formats } = useLanguage()
  const { signIn: text } = usePeopleWords().person
  const signIn = useQuery(personSignInQuery(person.id))
  const [open, setOpen] = useState<'password' | 'factors' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Section title={text.title}>
      <QueryView query={signIn}>
        {(has) => {
          const hasFactor = has.authenticator_app || has.passkeys > 0
          return (
            <>
              <DescriptionList
                facts={[
                  [text.password, has.has_password ? text.yes : text.no],
                  [text.app, has.authenticator_app ? text.yes : text.no],
                  [text.passkeys, has.passkeys === 0 ? text.no : formats.number(has.passkeys)],
                  hasFactor ? [text.codes, formats.number(has.recovery_codes_left)] : null,
                ]}
              />
              {isChangeable ? (
                <div className="choices">
                  {person.disabled ? null : <Button onPress={() => setOpen('password')}>{text.newPassword}</Button>}
                  {hasFactor ? <Button onPress={() => setOpen('factors')}>{text.resetFactors}</Button> : null}
                </div>
              ) : null}
              {isChangeable && person.disabled ? <p className="help person-foot">{text.isDisabled}</p> : null}
            </>
          )
        }}
      </QueryView>
      {open === 'password' ? <NewPasswordDialog person={person} onClose={close} /> : null}
      {open === 'factors' ? <ResetFactorsDialog person={person} onClose={close} /> : null}
    </Section>
  )
}
