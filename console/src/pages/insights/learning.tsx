import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { LearntList } from './learnt-list.tsx'
import { LearntForQuery } from './learnt.tsx'
import { useLearnNow } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

/** Shows how clicks move products, for one query at a time. */
export function Learning({ site }: { readonly site: string | undefined }) {
  const words = useInsightsWords()
  const { choices } = useChoices()
  const learning = useLearnNow()
  const mayLearn = useMay('products:write')
  const sites = useQuery({ ...sitesQuery, enabled: useMay('sites:read') })
  const name = sites.data?.find(({ id }) => id === site)?.name
  return (
    <Section title={words.learning} help={words.learningHelp}>
      <div className="stack">
        {name === undefined ? null : <p>{words.ofSite(name)}</p>}
        <div className="insights-learning">
          <Chooser key={choices.learnt} learnt={choices.learnt ?? ''} />
          {mayLearn ? (
            <Button
              isPending={learning.isPending}
              onPress={() =>
                learning.mutate(undefined, {
                  onSuccess: ({ queries }) => sayDone(words.learntNow(queries)),
                  onError: () => sayFailed(words.learntFailed),
                })
              }
            >
              {words.learnNow}
            </Button>
          ) : null}
        </div>
        <LearntList site={site} />
        {choices.learnt === undefined ? null : (
          <LearntForQuery key={choices.learnt} query={choices.learnt} site={site} />
        )}
      </div>
    </Section>
  )
}

function Chooser({ learnt }: { readonly learnt: string }) {
  const words = useInsightsWords()
  const { choose } = useChoices()
  const [typed, setTyped] = useState(learnt)
  return (
    <form
      className="insights-chooser"
      onSubmit={(event) => {
        event.preventDefault()
        choose({ learnt: typed.trim() === '' ? undefined : typed.trim() })
      }}
    >
      <TextField label={words.learntField} value={typed} maxLength={200} onChange={setTyped} />
      <Button type="submit">{words.show}</Button>
    </form>
  )
}
