import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { SaveBar } from '../../parts/editing/save-bar.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useVersioned } from '../../parts/editing/use-versioned.ts'
import { GroupFields } from './groups.tsx'
import { PeopleFields } from './people-fields.tsx'
import { outcomeOf, problemsOf } from './problems.ts'
import { readRules, RULES_KEY, type SignInRules, writeRules } from './queries.ts'
import { useSingleSignOnWords } from './words.ts'

/** Asks how people sign in with the company account; all rules are saved together. */
export function RulesForm() {
  const rules = useVersioned<SignInRules>({ key: RULES_KEY, read: readRules, write: writeRules })
  const { value } = rules
  return (
    <QueryView query={rules.query} skeleton={<Skeleton lines={8} />}>
      {() => (value === undefined ? null : <Fields rules={rules} value={value} />)}
    </QueryView>
  )
}

function Fields(props: { readonly rules: ReturnType<typeof useVersioned<SignInRules>>; readonly value: SignInRules }) {
  const { rules, value } = props
  const words = useSingleSignOnWords()
  const { roles } = useWords()
  const [isTried, setTried] = useState(false)
  const problems = problemsOf(value, words)
  const isBeyond = rules.error instanceof ApiFault && rules.error.status === 403 && !rules.error.is('proof_needed')
  const names = ['groups_claim', 'session_hours', ...value.groups.flatMap((_, i) => namesOf(i))]
  const change = (changes: Partial<SignInRules>): void => rules.change(changes)
  const save = (): void => {
    setTried(problems.hasAny)
    if (problems.hasAny) return
    rules.save(() => sayDone(words.saved))
  }
  return (
    <div className="settings-form">
      <Form names={names} error={isBeyond ? null : rules.error} isGuarded={false} onSubmit={save}>
        {isBeyond ? (
          <Notice tone="danger" role="alert">
            {words.exceeds}
          </Notice>
        ) : null}
        {rules.theirs.length === 0 ? null : (
          <Notice tone="warning" role="alert">
            <p>
              <strong>{words.conflict}</strong>
            </p>
            {rules.changed.length === 0 ? null : <p>{words.conflictHelp}</p>}
          </Notice>
        )}
        <Notice tone="plain">
          <p>
            <strong>{words.outcome.title}</strong>
          </p>
          {outcomeOf(value, words, roles).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
        <PeopleFields rules={value} fault={isTried ? problems.createUsers : null} onChange={change} />
        <GroupFields rules={value} faults={isTried ? problems.groups : []} onChange={change} />
        <SaveBar count={rules.changed.length} isSaving={rules.isSaving} onDiscard={rules.discard} />
      </Form>
    </div>
  )
}

const namesOf = (i: number): string[] => ['group', 'role', 'ceiling'].map((field) => `groups.${i}.${field}`)
