import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { tenantSettingsQuery } from '../connect/queries.ts'
import { useNaming } from './queries.ts'
import { useFirstStepsWords } from './words.ts'

/** Languages to choose from. German and English come first, because search knows most about them. */
const LANGUAGES = ['de', 'en', 'fr', 'it', 'es', 'nl', 'pl', 'pt', 'cs', 'da', 'sv']

/** Asks for the name of the organisation, and for the language in which it writes. */
export function NameStep({ onDone }: { readonly onDone: (() => void) | undefined }) {
  const settings = useQuery(tenantSettingsQuery)
  return (
    <QueryView query={settings}>
      {({ name, language }) => <NameForm name={name} language={language} onDone={onDone} />}
    </QueryView>
  )
}

function NameForm(props: {
  readonly name: string
  readonly language: string
  readonly onDone: (() => void) | undefined
}) {
  const words = useFirstStepsWords()
  const { formats, language: spoken } = useLanguage()
  const rename = useNaming()
  // No person chose this name: it is the one that the first start gave.
  const isNew = props.name === 'Default'
  const [name, setName] = useState(isNew ? '' : props.name)
  const [language, setLanguage] = useState(isNew ? spoken : props.language)
  const [isChecked, setChecked] = useState(false)
  const save = (): void => {
    setChecked(true)
    if (name.trim() === '') return
    rename.mutate(
      { name: name.trim(), language },
      {
        onSuccess: () => {
          sayDone(words.saved)
          props.onDone?.()
        },
      },
    )
  }
  return (
    <Form names={['name', 'language']} error={rename.error} onSubmit={save}>
      <TextField
        label={words.name}
        name="name"
        help={words.nameHelp}
        value={name}
        maxLength={200}
        onChange={setName}
        fault={isChecked && name.trim() === '' ? words.nameNeeded : null}
      />
      <Select
        label={words.language}
        name="language"
        help={words.languageHelp}
        chosen={language}
        choices={[...new Set([...LANGUAGES, language])].map((id) => ({ id, name: formats.languageName(id) }))}
        onChoose={setLanguage}
      />
      <div className="row">
        <Button kind="main" type="submit" isPending={rename.isPending}>
          {words.save}
        </Button>
      </div>
    </Form>
  )
}
