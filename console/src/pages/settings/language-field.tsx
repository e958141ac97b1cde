import { useLanguage } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { useSettingsWords } from './words.ts'

/** Languages to choose from. German and English are analysed best; people write in the others too. */
const OFFERED = ['de', 'en', 'fr', 'it', 'es', 'nl', 'pl', 'cs', 'da', 'sv', 'pt', 'tr'] as const

/** Asks for the language of content that states none. */
export function LanguageField(props: { readonly language: string; readonly onChoose: (language: string) => void }) {
  const { formats } = useLanguage()
  const { fields, organisation } = useSettingsWords()
  const tags = [...new Set<string>([...OFFERED, props.language])]
  return (
    <Select
      name="language"
      label={fields.language}
      help={organisation.languageHelp}
      choices={tags.map((id) => ({ id, name: formats.languageName(id) }))}
      chosen={props.language}
      onChoose={props.onChoose}
    />
  )
}
