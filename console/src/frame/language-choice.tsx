import { useId } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { type Language, LANGUAGES } from '../i18n/languages.ts'

export function LanguageChoice() {
  const { language, words, speak } = useLanguage()
  const id = useId()
  return (
    <div className="language">
      <label htmlFor={id} className="only-read-out">
        {words.language}
      </label>
      <select id={id} value={language} onChange={(event) => speak(event.target.value as Language)}>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
