import { useLanguage } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { useSettingsWords } from './words.ts'

/** German and English are analysed best; others are offered because people write in them. */
const OFFERED = ['de', 'en', 'fr', 'it', 'es', 'nl', 'pl', 'cs', 'da', 'sv', 'pt', 'tr'] as const

/** The language of content that states none. */
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
