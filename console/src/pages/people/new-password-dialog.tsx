import { type PersonDetails, useResetPassword } from '../../api/people.ts'
import { nameOf } from '../../parts/text/person.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { usePeopleWords } from './words.ts'

/** Gives a person a link for a new password: by mail, or to pass on. */
export function NewPasswordDialog(props: { readonly person: PersonDetails; readonly onClose: () => void }) {
  const { person, onClose } = props
  const { person: personText, link: linkText } = usePeopleWords()
  const { signIn: text } = personText
  const reset = useResetPassword(person.id, nameOf(person))
  if (reset.data !== undefined && reset.data.link !== null) {
    const { link, expires_at: expiresAt } = reset.data
    return (
      <LinkDialog title={linkText.password} email={person.email} link={link} expiresAt={expiresAt} onClose={onClose} />
    )
  }
  return (
    <AskDialog
      title={text.newPasswordTitle}
      text={text.newPasswordText(nameOf(person))}
      confirm={text.newPassword}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: ({ link }) => {
            if (link !== null) return
            sayDone(text.newPasswordMailed(person.email))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
