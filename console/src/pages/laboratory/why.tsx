import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Failure, QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type LabSearch, MODES, WHY_FIELD } from './lab-search.ts'
import { type Missing, missingQuery, titledQuery } from './queries.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Shows why an entry or product is not among the results. */
export function Why({ labSearch }: { readonly labSearch: LabSearch & { readonly q: string } }) {
  const words = useLaboratoryWords()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState('')
  const [titleWords, setTitleWords] = useState<string | null>(null)
  const { why, mode = 'hybrid' } = labSearch
  const choose = (change: Partial<LabSearch>): void => void navigate({ search: (before) => ({ ...before, ...change }) })
  const submit = (): void => {
    const id = UUID.exec(typed)?.[0].toLowerCase()
    setTitleWords(id === undefined && typed.trim() !== '' ? typed.trim() : null)
    if (id !== undefined) choose({ why: id })
    else if (why !== undefined) choose({ why: undefined })
  }
  return (
    <Section title={words.why.title} help={words.why.help}>
      <form
        className="laboratory-why"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={words.why.field}
          name={WHY_FIELD}
          value={typed}
          onChange={setTyped}
          maxLength={500}
          autoComplete="off"
        />
        <Select
          label={words.why.mode}
          choices={MODES.map((id) => ({ id, name: words.modes[id].name }))}
          chosen={mode}
          onChoose={(id) => choose({ mode: id })}
        />
        <Button type="submit">{words.why.ask}</Button>
      </form>
      {titleWords !== null && why === undefined ? (
        <TitleHits section={labSearch.section} titleWords={titleWords} onChoose={(id) => choose({ why: id })} />
      ) : null}
      {why === undefined ? null : <Answer labSearch={{ ...labSearch, why }} />}
    </Section>
  )
}

function TitleHits(props: {
  readonly section: LabSearch['section']
  readonly titleWords: string
  readonly onChoose: (id: string) => void
}) {
  const words = useLaboratoryWords()
  const titled = useQuery(titledQuery(props.section, props.titleWords))
  return (
    <QueryView query={titled}>
      {(list) =>
        list.length === 0 ? (
          <p role="status">{words.why.none}</p>
        ) : (
          <div className="stack" role="group" aria-label={words.why.choose}>
            <p>{words.why.choose}</p>
            <ul className="plain-list laboratory-titled">
              {list.map(({ id, title }) => (
                <li key={id}>
                  <Button kind="quiet" onPress={() => props.onChoose(id)}>
                    <span className="wrap">{title}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )
      }
    </QueryView>
  )
}

function Answer({ labSearch }: { readonly labSearch: LabSearch & { readonly q: string; readonly why: string } }) {
  const words = useLaboratoryWords()
  const query = useQuery(missingQuery(labSearch))
  if (query.error instanceof ApiFault && query.error.is('reference_not_found')) {
    return (
      <Notice tone="warning" role="status">
        {words.why.unknown}
      </Notice>
    )
  }
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <QueryView query={query}>{(missing) => <Reason missing={missing} section={labSearch.section} />}</QueryView>
}

function Reason({ missing, section }: { readonly missing: Missing; readonly section: LabSearch['section'] }) {
  const { words: common, formats } = useLanguage()
  const { why } = useLaboratoryWords()
  const { reason, rank, visibility, expired_at, relevance, rules } = missing
  const facts = [
    rank === null ? null : why.rank(formats.number(rank)),
    visibility === null ? null : why.level(common.visibility[visibility].who),
    expired_at === null ? null : why.since(formats.moment(expired_at)),
    relevance === null ? null : why.itsRelevance(formats.percent(relevance)),
    rules.length === 0 ? null : why.rules(formats.list(rules.map(({ name }) => name))),
  ].filter((fact) => fact !== null)
  return (
    <Notice tone={reason === 'found' ? 'success' : 'plain'} role="status">
      <p>
        <strong>{missing.title}</strong>
      </p>
      <p>{why.reasons[reason]}</p>
      {facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      <p>
        {section === 'knowledge' ? (
          <Link to="/console/entries/$entryId" params={{ entryId: missing.id }}>
            {why.open}
          </Link>
        ) : (
          <Link to="/console/products/$productId" params={{ productId: missing.id }}>
            {why.openProduct}
          </Link>
        )}
      </p>
    </Notice>
  )
}
