import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { judgedSetsQuery } from '../../api/judged-sets.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type Asked, VIEWS } from './asked.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')
const LANGUAGES = ['de', 'en'] as const
const NONE = 'none'

/** What is searched for, where, and through whose eyes. Each choice is a step of the history. */
export function AskForm({ isBusy }: { readonly isBusy: boolean }) {
  const { formats } = useLanguage()
  const words = useLaboratoryWords()
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const { q: current = '' } = asked
  const [typed, setTyped] = useState(current)
  const [shown, setShown] = useState(current)
  // Back, or a link, brought another search. The field keeps the focus.
  if (shown !== current) {
    setShown(current)
    setTyped(current)
  }
  const { data: sets = [] } = useQuery(judgedSetsQuery)
  const choose = (change: Partial<Asked>): void => void navigate({ search: (before) => ({ ...before, ...change }) })
  const orNone = <T extends string>(id: T | typeof NONE): T | undefined => (id === NONE ? undefined : id)
  const fitting = sets.filter(({ section }) => section === asked.section)
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
          chosen={asked.section}
          onChoose={(section) => choose({ section, set: undefined, why: undefined })}
        />
        <Select
          label={words.view}
          choices={[{ id: NONE, name: words.self }, ...VIEWS.map((id) => ({ id, name: words.views[id] }))]}
          chosen={asked.view ?? NONE}
          onChoose={(id) => choose({ view: orNone(id) })}
        />
        <Select
          label={words.language}
          choices={[
            { id: NONE, name: words.anyLanguage },
            ...LANGUAGES.map((id) => ({ id, name: formats.languageName(id) })),
          ]}
          chosen={(asked.language ?? NONE) as typeof NONE}
          onChoose={(id) => choose({ language: orNone<string>(id) })}
        />
        <Select
          label={words.relevance}
          choices={[
            { id: NONE, name: words.anyRelevance },
            ...(['0.2', '0.5'] as const).map((id) => ({ id, name: words.relevances[id] })),
          ]}
          chosen={asked.relevance ?? NONE}
          onChoose={(id) => choose({ relevance: orNone(id) })}
        />
        {fitting.length === 0 ? null : (
          <Select
            label={words.set}
            choices={[{ id: NONE, name: words.noSet }, ...fitting.map(({ id, name }) => ({ id, name }))]}
            chosen={asked.set ?? NONE}
            onChoose={(id) => choose({ set: orNone<string>(id) })}
          />
        )}
      </div>
    </form>
  )
}
