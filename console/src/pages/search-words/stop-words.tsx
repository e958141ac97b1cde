import { useChangeVocabulary } from '../../api/search-vocabulary.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Section } from '../../parts/layout/section.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { sayFailed } from '../../parts/feedback/toast.tsx'
import { useSearchWordsWords } from './words.ts'

/** Edits the words that queries can do without. Each is stored as it is added. */
export function StopWords({ stopWords }: { readonly stopWords: readonly string[] }) {
  const words = useSearchWordsWords()
  const { words: common } = useLanguage()
  const changing = useChangeVocabulary()
  const change = (after: readonly string[]): void => {
    const added = after.filter((word) => !stopWords.includes(word))
    changing.mutate(
      (now) => ({
        ...now,
        stop_words: [
          ...now.stop_words.filter((word) => after.includes(word) || !stopWords.includes(word)),
          ...added.filter((word) => !now.stop_words.includes(word)),
        ],
      }),
      { onError: (error) => sayFailed(faultText(error, common)) },
    )
  }
  return (
    <Section title={words.stopWords} help={words.stopWordsHelp}>
      <TagInput label={words.words} tags={stopWords} onChange={change} />
    </Section>
  )
}
