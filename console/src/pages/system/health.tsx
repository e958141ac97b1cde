import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { concernsOf } from './concerns.ts'
import type { Status } from './queries.ts'
import { useSystemWords } from './words.ts'

/** Shows that all is well, or what is worth a look. Screen readers hear when that changes. */
export function Health({ status }: { readonly status: Status }) {
  const { formats } = useLanguage()
  const words = useSystemWords()
  const { searchLag } = useWords()
  const concerns = concernsOf(status, words, searchLag, formats)
  if (concerns.length === 0) {
    return (
      <Notice tone="success" role="status">
        <p>
          <strong>{words.well}</strong>
        </p>
        <p>{words.wellHelp}</p>
      </Notice>
    )
  }
  return (
    <Notice tone="warning" role="status">
      <p>
        <strong>{words.look}</strong>
      </p>
      <ul>
        {concerns.map((concern) => (
          <li key={concern}>{concern}</li>
        ))}
      </ul>
    </Notice>
  )
}
