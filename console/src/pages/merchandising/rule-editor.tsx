import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Rule } from '../../api/merchandising.ts'
import type { Site } from '../../api/sites.ts'
import { Button } from '../../parts/button.tsx'
import { differing } from '../../parts/differing.ts'
import { Form } from '../../parts/form.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { useMinute } from '../../parts/time.tsx'
import { sayDone } from '../../parts/toast.tsx'
import { useEdits } from '../../parts/use-edits.ts'
import { Preview } from './preview.tsx'
import { draftOf, NEW_RULE, othersOf, type RuleDraft, useSaveRule } from './queries.ts'
import { Conditions } from './conditions.tsx'
import { Effect } from './effect.tsx'
import { useMerchandisingWords } from './words.ts'

/** The fields of a rule, and what it would change. */
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
  const { shown: draft, edit } = useEdits<RuleDraft>(stored)
  const isDirty = useRef(false)
  const saving = useSaveRule(site.id, rule?.id ?? null)
  const change = (part: Partial<RuleDraft>): void => {
    isDirty.current = true
    edit(part)
  }
  const save = (): void =>
    saving.mutate(differing<RuleDraft>(plainOf(draft), stored), {
      onSuccess: () => {
        isDirty.current = false
        sayDone(words.saved)
        void navigate({ to: '/console/products/rules', search: { site: site.slug } })
      },
    })
  return (
    <div className="rule">
      <Form names={Object.keys(NEW_RULE)} error={saving.error} isGuarded={false} onSubmit={save}>
        <Effect siteId={site.id} draft={draft} onChange={change} />
        <Conditions draft={draft} onChange={change} />
        <div className="row">
          <Button kind="main" type="submit" isPending={saving.isPending}>
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

/** Without what its action has no use for. */
function plainOf(draft: RuleDraft): RuleDraft {
  const { action } = draft
  const none = { brands: [], categories: [], availabilities: [] }
  if (action === 'redirect') return { ...draft, ...none, product_ids: [] }
  return { ...draft, address: null, ...(action === 'pin' ? none : {}) }
}
