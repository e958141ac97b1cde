import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { type Rule, rulesQuery } from '../../api/merchandising.ts'
import type { Site } from '../../api/sites.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { differingFields } from '../../parts/editing/differing-fields.ts'
import { Form } from '../../parts/editing/form.tsx'
import { LeaveGuard } from '../../parts/editing/leave-guard.tsx'
import { useMinute } from '../../parts/text/time.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { Collisions } from '../../parts/editing/collisions.tsx'
import { useSharedEdits } from '../../parts/editing/use-shared-edits.ts'
import { Preview } from './preview.tsx'
import { draftOf, NEW_RULE, othersOf, readRule, type RuleDraft, writeRule } from './queries.ts'
import { collisionsIn } from './collisions.ts'
import { Conditions } from './conditions.tsx'
import { Effect } from './effect.tsx'
import { useMerchandisingWords } from './words.ts'

/** Shows the fields of a rule, and a preview of its effect. */
export function RuleEditor(props: {
  readonly site: Site
  readonly rule: Rule | null
  readonly rules: readonly Rule[]
}) {
  const { site, rule, rules } = props
  const words = useMerchandisingWords()
  const navigate = useNavigate()
  const now = useMinute()
  const stored = rule === null ? NEW_RULE : draftOf(rule)
  const queries = useQueryClient()
  const { formats } = useLanguage()
  const ruleId = rule?.id ?? null
  const renew = (): Promise<void> => queries.invalidateQueries({ queryKey: rulesQuery(site.id).queryKey })
  const saving = useSharedEdits<RuleDraft, Rule>({
    stored,
    read: () => readRule(site.id, ruleId),
    write: (changes, { value, etag }) => writeRule(site.id, ruleId, { ...value, ...changes }, etag),
    onCollision: () => void renew(),
  })
  const { values: draft, edit } = saving
  const isDirty = useRef(false)
  const change = (part: Partial<RuleDraft>): void => {
    isDirty.current = true
    edit(part)
  }
  const save = (): void =>
    saving.save(differingFields<RuleDraft>(plainOf(draft), stored), () => {
      isDirty.current = false
      void renew()
      sayDone(words.saved)
      void navigate({ to: '/console/products/rules', search: { site: site.slug } })
    })
  return (
    <div className="rule">
      <Form names={Object.keys(NEW_RULE)} error={saving.error} isGuarded={false} onSubmit={save}>
        <Collisions
          fields={collisionsIn(saving.theirs, draft, words, formats)}
          isBusy={saving.isSaving}
          onTake={saving.takeTheirs}
          onOverwrite={save}
        />
        <Effect siteId={site.id} draft={draft} onChange={change} />
        <Conditions draft={draft} onChange={change} />
        <div className="row">
          <Button kind="main" type="submit" isPending={saving.isSaving}>
            {words.save}
          </Button>
        </div>
      </Form>
      <Preview siteId={site.id} draft={plainOf(draft)} others={othersOf(rules, rule?.id ?? '', now)} />
      <LeaveGuard
        isNeeded={() => isDirty.current}
        words={{ title: words.leaveTitle, text: words.leaveText, leave: words.leave }}
      />
    </div>
  )
}

/** Returns a rule without the values that its action does not use. */
function plainOf(draft: RuleDraft): RuleDraft {
  const { action } = draft
  const none = { brands: [], categories: [], availabilities: [] }
  if (action === 'redirect') return { ...draft, ...none, product_ids: [] }
  return { ...draft, address: null, ...(action === 'pin' ? none : {}) }
}
