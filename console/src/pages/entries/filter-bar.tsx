import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useCategories } from '../../api/category-names.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CategoryPicker } from '../../parts/fields/category-picker.tsx'
import { FilterChips } from '../../parts/fields/chips.tsx'
import { ENTRY_TYPES } from '../../api/entry-type.ts'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type EntryFilters, VISIBILITIES } from './filters.ts'
import { useEntriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/entries')
const ANY = 'any'

/** Reads the filters from the address, and changes them there. Each choice is a step of the browser's history. */
export function useFilters() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof EntryFilters, value: string | null): void =>
    void navigate({
      search: ({ [name]: _before, ...rest }) => (value === null ? rest : { ...rest, [name]: value }),
      resetScroll: false,
    })
  return {
    filters,
    isFiltered: Object.values(filters).some((value) => value !== undefined),
    set,
    clear: (): void => void navigate({ search: {}, resetScroll: false }),
  }
}

/** Lets people choose filters, and shows those that are set as chips. */
export function Filters() {
  const { words: common, formats, language: ownLanguage } = useLanguage()
  const words = useEntriesWords()
  const { categories = [] } = useCategories()
  const { filters, set, clear } = useFilters()
  const { type, visibility, language, category, tag } = filters
  const path = categories.find(({ id }) => id === category)?.path ?? '…'
  const chips = [
    ...(type === undefined ? [] : [{ id: 'type', name: words.chips.type(common.entryTypes[type]) }]),
    ...(visibility === undefined
      ? []
      : [{ id: 'visibility', name: words.chips.visibility(common.visibility[visibility].name) }]),
    ...(language === undefined ? [] : [{ id: 'language', name: words.chips.language(formats.languageName(language)) }]),
    ...(category === undefined ? [] : [{ id: 'category', name: words.chips.category(path) }]),
    ...(tag === undefined ? [] : [{ id: 'tag', name: words.chips.tag(tag) }]),
  ]
  const languages = [...new Set([ownLanguage, 'de', 'en', ...(language === undefined ? [] : [language])])]
  const orNull = (id: string): string | null => (id === ANY ? null : id)
  return (
    <div className="stack-tight">
      <div className="entries-filters">
        <CategoryPicker
          label={words.category}
          placeholder={words.anyCategory}
          chosen={category ?? null}
          onChoose={(id) => set('category', id)}
        />
        <TagFilter onChoose={(chosen) => set('tag', chosen)} />
        <Select
          label={words.type}
          chosen={type ?? ANY}
          choices={[
            { id: ANY, name: words.anyType },
            ...ENTRY_TYPES.map((id) => ({ id, name: common.entryTypes[id] })),
          ]}
          onChoose={(id) => set('type', orNull(id))}
        />
        <Select
          label={words.visibility}
          chosen={visibility ?? ANY}
          choices={[
            { id: ANY, name: words.anyVisibility },
            ...VISIBILITIES.map((id) => ({ id, name: common.visibility[id].name })),
          ]}
          onChoose={(id) => set('visibility', orNull(id))}
        />
        <Select
          label={words.language}
          chosen={language ?? ANY}
          choices={[
            { id: ANY, name: words.anyLanguage },
            ...languages.map((id) => ({ id, name: formats.languageName(id) })),
          ]}
          onChoose={(id) => set('language', orNull(id))}
        />
      </div>
      <FilterChips chips={chips} onRemove={(id) => set(id as keyof EntryFilters, null)} onClear={clear} />
    </div>
  )
}

/** Asks for a tag; Enter filters by it. */
function TagFilter({ onChoose }: { readonly onChoose: (tag: string) => void }) {
  const words = useEntriesWords()
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const tag = typed.trim()
        if (tag === '') return
        setTyped('')
        onChoose(tag)
      }}
    >
      <TextField label={words.tag} placeholder={words.anyTag} value={typed} onChange={setTyped} maxLength={100} />
    </form>
  )
}
