import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { profileQuery } from '../../api/own-account.ts'
import { Button } from '../../parts/layout/button.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { useProfileWords } from './words.ts'

/** Shows whether the person has a password, and changes it. */
export function PasswordSection() {
  const { password: text } = useProfileWords()
  const profile = useQuery(profileQuery)
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={text.title}>
      <QueryView query={profile}>
        {({ has_password: hasPassword, email }) => (
          <>
            <p>{hasPassword ? text.has : text.none}</p>
            {hasPassword ? (
              <p className="choices">
                <Button onPress={() => setOpen(true)}>{text.change}</Button>
              </p>
            ) : null}
            {isOpen ? (
              <PasswordDialog
                email={email}
                onChanged={() => {
                  setOpen(false)
                  sayDone(text.changed)
                }}
                onClose={() => setOpen(false)}
              />
            ) : null}
          </>
        )}
      </QueryView>
    </Section>
  )
}
