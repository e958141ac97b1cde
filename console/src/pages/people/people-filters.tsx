import { getRouteApi } from '@tanstack/react-router'
import { ROLES, type Role } from '../../../../src/platform/access/scopes.ts'
import { useWords } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useQueryText } from '../../parts/fields/use-query-text.ts'
import { usePeopleWords } from './words.ts'

const route = getRouteApi('/signed-in/console/settings/people')

const STATES = ['active', 'disabled'] as const

/** Lets people search the list of people, and filter it by role and state; all choices are in the address. */
export function PeopleFilters() {
  const words = useWords()
  const { list } = usePeopleWords()
  const { q = '', role, state } = route.useSearch()
  const navigate = route.useNavigate()
  const { typed, type } = useQueryText(q, (next, replace) => {
    void navigate({
      search: ({ q: _before, ...others }) => (next === '' ? others : { ...others, q: next }),
      replace,
      resetScroll: false,
    })
  })
  return (
    <search className="people-filters">
      <TextField
        label={list.search}
        type="search"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={(text) => type(text)}
      />
      <Select<Role | 'any'>
        label={list.role}
        chosen={role ?? 'any'}
        choices={[{ id: 'any', name: list.anyRole }, ...ROLES.map((id) => ({ id, name: words.roles[id] }))]}
        onChoose={(id) =>
          void navigate({
            search: ({ role: _before, ...others }) => (id === 'any' ? others : { ...others, role: id }),
            resetScroll: false,
          })
        }
      />
      <Select<'active' | 'disabled' | 'any'>
        label={list.state}
        chosen={state ?? 'any'}
        choices={[{ id: 'any', name: list.anyState }, ...STATES.map((id) => ({ id, name: list.states[id] }))]}
        onChoose={(id) =>
          void navigate({
            search: ({ state: _before, ...others }) => (id === 'any' ? others : { ...others, state: id }),
            resetScroll: false,
          })
        }
      />
    </search>
  )
}
