import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Rule } from '../../api/merchandising.ts'
import type { Site } from '../../api/sites.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useMinute } from '../../parts/time.tsx'
import { sayDone } from '../../parts/toast.tsx'
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
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === null ? NEW_RULE : draftOf(rule)))
  const isDirty = useRef(false)
  const saving = useSaveRule(site.id, rule?.id ?? null)
  const change = (part: Partial<RuleDraft>): void => {
    isDirty.current = true
    setDraft((before) => ({ ...before, ...part }))
  }
  const save = (): void =>
    saving.mutate(plainOf(draft), {
      onSuccess: () => {
        isDirty.current = false
        sayDone(words.saved)
        void navigate({ to: '/console/products/rules', search: { site: site.slug } })
      },
    })
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  })
  return (
    <div className="rule">
      <Form names={Object.keys(NEW_RULE)} error={saving.error} onSubmit={save}>
        <Effect siteId={site.id} draft={draft} onChange={change} />
        <Conditions draft={draft} onChange={change} />
        <div className="row">
          <Button kind="main" type="submit" isPending={saving.isPending}>
            {words.save}
          </Button>
        </div>
      </Form>
      <Preview siteId={site.id} draft={plainOf(draft)} others={othersOf(rules, rule?.id ?? '', now)} />
      {leaving.status === 'blocked' ? (
        <ConfirmDialog
          title={words.leaveTitle}
          text={words.leaveText}
          confirm={words.leave}
          isBusy={false}
          error={null}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        />
      ) : null}
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
