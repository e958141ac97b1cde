import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { type Profile, profileQuery, useChangeProfile } from '../../api/own-account.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { type Language, LANGUAGES } from '../../i18n/languages.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { isRole } from '../../parts/session/permissions.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useEdits } from '../../parts/editing/use-edits.ts'
import { useProfileWords } from './words.ts'

const FIELDS = ['name', 'language']

/** Asks for the name and the language of the person. */
export function ProfileForm() {
  const profile = useQuery(profileQuery)
  return <QueryView query={profile}>{(data) => <Fields profile={data} />}</QueryView>
}

function Fields({ profile }: { readonly profile: Profile }) {
  const { profile: text } = useProfileWords()
  const { words, follow } = useLanguage()
  const change = useChangeProfile()
  const router = useRouter()
  const { values, edits, edit, sent } = useEdits({ name: profile.name, language: profile.language })
  const { name, language } = values
  const [isChecked, setChecked] = useState(false)
  const fault = name.trim() === '' ? text.nameNeeded : null
  const submit = (form: HTMLFormElement): void => {
    setChecked(true)
    if (fault !== null) {
      form.querySelector<HTMLInputElement>('[name=name]')?.focus()
      return
    }
    if (change.isPending) return
    change.mutate(
      { ...edits, ...(edits.name === undefined ? {} : { name: name.trim() }) },
      {
        onSuccess: () => {
          sent(edits)
          if (edits.language !== undefined) follow(edits.language)
          // The frame shows the name.
          void router.invalidate()
          sayDone(words.saved)
        },
      },
    )
  }
  return (
    <div className="part-form">
      <Form names={FIELDS} error={change.error} onSubmit={submit}>
        <TextField
          name="name"
          label={text.name}
          help={text.nameHelp}
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={(typed) => edit({ name: typed })}
          fault={isChecked ? fault : null}
          isRequired
        />
        <TextField label={text.email} help={text.emailHelp} value={profile.email} isReadOnly />
        <TextField
          label={text.role}
          value={isRole(profile.role) ? words.roles[profile.role] : profile.role}
          isReadOnly
        />
        <Select<Language | 'browser'>
          name="language"
          label={text.language}
          help={text.languageHelp}
          chosen={language ?? 'browser'}
          choices={[
            { id: 'browser', name: text.asBrowser },
            ...Object.entries(LANGUAGES).map(([id, own]) => ({ id: id as Language, name: own })),
          ]}
          onChoose={(id) => edit({ language: id === 'browser' ? null : id })}
        />
        <div>
          <Button kind="main" type="submit" isPending={change.isPending}>
            {change.isPending ? words.saving : words.save}
          </Button>
        </div>
      </Form>
    </div>
  )
}
