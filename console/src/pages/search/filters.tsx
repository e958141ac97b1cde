import { useLanguage } from '../../i18n/language.tsx'
import { FilterChips } from '../../parts/fields/chips.tsx'
import { ENTRY_TYPES } from '../../api/entry-type.ts'
import { Select } from '../../parts/fields/select.tsx'
import type { Hit } from './queries.ts'
import { type Filter, useFilters } from './use-filters.ts'
import { useSearchWords } from './words.ts'

const ANY = 'any'

/** Lets people choose filters. One that is set is a chip, in place of its choice. */
export default function Filters({ hits }: { readonly hits: readonly Hit[] }) {
  const { words: common, formats } = useLanguage()
  const words = useSearchWords()
  const { filters, set, clear } = useFilters()
  const { type, language, category, tag } = filters
  const categoryName = hits.find(({ entry }) => entry.category_id === category)?.entry.category_path?.at(-1)
  const chips = [
    ...(type === undefined ? [] : [{ id: 'type', name: words.typeChip(common.entryTypes[type]) }]),
    ...(language === undefined ? [] : [{ id: 'language', name: words.languageChip(formats.languageName(language)) }]),
    ...(category === undefined
      ? []
      : [{ id: 'category', name: words.categoryChip(categoryName ?? words.thisCategory) }]),
    ...(tag === undefined ? [] : [{ id: 'tag', name: words.tagChip(tag) }]),
  ]
  return (
    <div className="search-filters">
      {type === undefined ? (
        <Select
          label={words.type}
          isLabelHidden
          chosen={ANY}
          choices={[
            { id: ANY, name: words.anyType },
            ...ENTRY_TYPES.map((id) => ({ id, name: common.entryTypes[id] })),
          ]}
          onChoose={(id) => set('type', id === ANY ? null : id)}
        />
      ) : null}
      {language === undefined ? (
        <Select
          label={words.language}
          isLabelHidden
          chosen={ANY}
          choices={[
            { id: ANY, name: words.anyLanguage },
            ...languagesOf(hits).map((id) => ({ id, name: formats.languageName(id) })),
          ]}
          onChoose={(id) => set('language', id === ANY ? null : id)}
        />
      ) : null}
      <FilterChips chips={chips} onRemove={(id) => set(id as Filter, null)} onClear={clear} />
    </div>
  )
}

/** Returns German and English, and the other languages among the hits. */
function languagesOf(hits: readonly Hit[]): readonly string[] {
  const hitLanguages = hits.map(({ entry }) => entry.language.split('-', 1)[0] ?? '')
  return [...new Set(['de', 'en', ...hitLanguages])]
}
