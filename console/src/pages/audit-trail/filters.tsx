import { useQuery } from '@tanstack/react-query'
import { personQuery } from '../../api/people.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { FilterChips } from '../../parts/fields/chips.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { PersonPick } from '../../parts/fields/person-pick.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { wordFor } from './names.ts'
import { useFilters } from './use-filters.ts'
import { useAuditWords } from './words.ts'

const ANY = 'any'

/** Lets people choose filters. */
export function Filters() {
  const words = useAuditWords()
  const { filters, set } = useFilters()
  const valueOf = (id: string): string | undefined => (id === ANY ? undefined : id)
  return (
    <div className="audit-filters">
      <PersonPick
        label={words.filters.person}
        nobody={words.filters.anybody}
        unknown={words.unknownPerson}
        chosen={filters.person ?? null}
        onChoose={(id) => set({ person: id ?? undefined })}
      />
      <Select
        label={words.filters.action}
        choices={[{ id: ANY, name: words.filters.anything }, ...choicesOf(words.actions)]}
        chosen={filters.action ?? ANY}
        onChoose={(id) => set({ action: valueOf(id) })}
      />
      <Select
        label={words.filters.kind}
        choices={[{ id: ANY, name: words.filters.everything }, ...choicesOf(words.kinds)]}
        chosen={filters.kind ?? ANY}
        onChoose={(id) => set({ kind: valueOf(id) })}
      />
      <Select
        label={words.filters.source}
        choices={[{ id: ANY, name: words.filters.anyhow }, ...choicesOf(words.sources)]}
        chosen={filters.source ?? ANY}
        onChoose={(id) => set({ source: valueOf(id) })}
      />
      <TextField
        type="date"
        label={words.filters.from}
        value={filters.from ?? ''}
        onChange={(day) => set({ from: day === '' ? undefined : day })}
      />
      <TextField
        type="date"
        label={words.filters.to}
        value={filters.to ?? ''}
        onChange={(day) => set({ to: day === '' ? undefined : day })}
      />
    </div>
  )
}

const choicesOf = (names: Readonly<Record<string, string>>): { id: string; name: string }[] =>
  Object.entries(names)
    .map(([id, name]) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name))

/**
 * Lets people choose refused attempts alone, and shows the filters that are set, each with a button that removes it.
 */
export function SetFilters() {
  const { formats } = useLanguage()
  const words = useAuditWords()
  const { filters, set, clear } = useFilters()
  const { chips } = words
  const { data: person } = useQuery({ ...personQuery(filters.person ?? ''), enabled: filters.person !== undefined })
  const { action, kind, source, outcome, from, to } = filters
  const chosen = [
    filters.person === undefined
      ? null
      : { id: 'person', name: chips.person(person === undefined ? chips.somebody : nameOf(person)) },
    filters.credential === undefined ? null : { id: 'credential', name: chips.credential },
    action === undefined ? null : { id: 'action', name: chips.action(wordFor(words.actions, action)) },
    kind === undefined ? null : { id: 'kind', name: chips.kind(wordFor(words.kinds, kind)) },
    filters.thing === undefined ? null : { id: 'thing', name: chips.thing },
    source === undefined ? null : { id: 'source', name: chips.source(wordFor(words.sources, source)) },
    outcome === undefined ? null : { id: 'outcome', name: chips[outcome] },
    from === undefined ? null : { id: 'from', name: chips.from(formats.day(`${from}T12:00`)) },
    to === undefined ? null : { id: 'to', name: chips.to(formats.day(`${to}T12:00`)) },
  ].filter((chip) => chip !== null)
  return (
    <div className="audit-chosen">
      <Checkbox isSelected={outcome === 'refused'} onChange={(isOn) => set({ outcome: isOn ? 'refused' : undefined })}>
        {words.filters.refused}
      </Checkbox>
      <FilterChips chips={chosen} onRemove={(id) => set({ [id]: undefined })} onClear={clear} />
    </div>
  )
}
