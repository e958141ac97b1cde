import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { judgedSetsQuery } from '../../api/judged-sets.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type LabSearch, VIEWS } from './lab-search.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')
const LANGUAGES = ['de', 'en'] as const
const NONE = 'none'

/** Asks for the query, its section, and the view to search with. Each choice is a step of the browser's history. */
export function AskForm({ isBusy }: { readonly isBusy: boolean }) {
  const { formats } = useLanguage()
  const words = useLaboratoryWords()
  const labSearch = route.useSearch()
  const navigate = route.useNavigate()
  const { q: current = '' } = labSearch
  const [typed, setTyped] = useState(current)
  const [queryOfField, setQueryOfField] = useState(current)
  // Back, or a link, led to another search. The field keeps the focus.
  if (queryOfField !== current) {
    setQueryOfField(current)
    setTyped(current)
  }
  const { data: sets = [] } = useQuery(judgedSetsQuery)
  const choose = (change: Partial<LabSearch>): void => void navigate({ search: (before) => ({ ...before, ...change }) })
  const orNone = <T extends string>(id: T | typeof NONE): T | undefined => (id === NONE ? undefined : id)
  const fitting = sets.filter(({ section }) => section === labSearch.section)
  return (
    <form
      role="search"
      className="laboratory-form"
      onSubmit={(event) => {
        event.preventDefault()
        const q = typed.trim()
        choose({ q: q === '' ? undefined : q, why: undefined })
      }}
    >
      <div className="laboratory-query">
        <TextField label={words.query} name="q" maxLength={500} value={typed} onChange={setTyped} autoComplete="off" />
        <Button kind="main" type="submit" isPending={isBusy}>
          {words.ask}
        </Button>
      </div>
      <div className="laboratory-choices">
        <Select
          label={words.section}
          choices={(['knowledge', 'products'] as const).map((id) => ({ id, name: words.sections[id] }))}
          chosen={labSearch.section}
          onChoose={(section) => choose({ section, set: undefined, why: undefined })}
        />
        <Select
          label={words.view}
          choices={[{ id: NONE, name: words.self }, ...VIEWS.map((id) => ({ id, name: words.views[id] }))]}
          chosen={labSearch.view ?? NONE}
          onChoose={(id) => choose({ view: orNone(id) })}
        />
        <Select
          label={words.language}
          choices={[
            { id: NONE, name: words.anyLanguage },
            ...LANGUAGES.map((id) => ({ id, name: formats.languageName(id) })),
          ]}
          chosen={(labSearch.language ?? NONE) as typeof NONE}
          onChoose={(id) => choose({ language: orNone<string>(id) })}
        />
        <Select
          label={words.relevance}
          choices={[
            { id: NONE, name: words.anyRelevance },
            ...(['0.2', '0.5'] as const).map((id) => ({ id, name: words.relevances[id] })),
          ]}
          chosen={labSearch.relevance ?? NONE}
          onChoose={(id) => choose({ relevance: orNone(id) })}
        />
        {fitting.length === 0 ? null : (
          <Select
            label={words.judgedSet}
            choices={[{ id: NONE, name: words.noJudgedSet }, ...fitting.map(({ id, name }) => ({ id, name }))]}
            chosen={labSearch.set ?? NONE}
            onChoose={(id) => choose({ set: orNone<string>(id) })}
          />
        )}
      </div>
    </form>
  )
}
