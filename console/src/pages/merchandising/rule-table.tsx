import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isInForce, type Rule } from '../../api/merchandising.ts'
import type { Site } from '../../api/sites.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { IconButton } from '../../parts/layout/button.tsx'
import { Switch } from '../../parts/fields/checkbox.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Table } from '../../parts/tables/table.tsx'
import { useMinute } from '../../parts/text/time.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { useRemoveRule, useSaveRule } from './queries.ts'
import { useMerchandisingWords } from './words.ts'

/** Lists the rules of a site, each with its action, its conditions, and whether it is in use. */
export function RuleTable({ site, rules }: { readonly site: Site; readonly rules: readonly Rule[] }) {
  const words = useMerchandisingWords()
  const removing = useRemoveRule(site.id)
  const [ruleToRemove, setRuleToRemove] = useState<Rule | null>(null)
  const close = (): void => {
    setRuleToRemove(null)
    removing.reset()
  }
  return (
    <>
      <Table
        label={words.list}
        rows={rules}
        keyOf={({ id }) => id}
        columns={[
          {
            head: words.name,
            cell: ({ id, name }) => (
              <Link to="/console/products/rules/$ruleId" params={{ ruleId: id }} search={{ site: site.slug }}>
                {name}
              </Link>
            ),
          },
          { head: words.effect, cell: ({ action }) => words.actions[action] },
          { head: words.when, cell: (rule) => <When rule={rule} /> },
          { head: words.on, cell: (rule) => <InUse siteId={site.id} rule={rule} /> },
          {
            head: words.remove,
            isActions: true,
            cell: (rule) => (
              <IconButton
                icon={Trash2}
                label={words.removeRule(rule.name)}
                size="small"
                onPress={() => setRuleToRemove(rule)}
              />
            ),
          },
        ]}
      />
      {ruleToRemove === null ? null : (
        <ConfirmDialog
          title={words.removeTitle(ruleToRemove.name)}
          text={words.removeText}
          confirm={words.remove}
          isBusy={removing.isPending}
          error={removing.error}
          onClose={close}
          onConfirm={() =>
            removing.mutate(ruleToRemove.id, {
              onSuccess: () => {
                sayDone(words.removed)
                close()
              },
            })
          }
        />
      )}
    </>
  )
}

function When({ rule }: { readonly rule: Rule }) {
  const words = useMerchandisingWords()
  const { formats } = useLanguage()
  const { query, match, filter_category: category, filter_brand: brand, from, to } = rule
  const search = query === null ? words.always : match === 'exact' ? words.exactly(query) : words.containing(query)
  const further = [
    ...(category === null ? [] : [words.inCategory(category)]),
    ...(brand === null ? [] : [words.ofBrand(brand)]),
    ...(from === null ? [] : [words.from(formats.day(from))]),
    ...(to === null ? [] : [words.until(formats.day(to))]),
  ]
  return (
    <>
      {search}
      {further.length === 0 ? null : <span className="second">{further.join(' · ')}</span>}
    </>
  )
}

/** Shows the switch that turns a rule on and off at once. */
function InUse({ siteId, rule }: { readonly siteId: string; readonly rule: Rule }) {
  const words = useMerchandisingWords()
  const { words: common } = useLanguage()
  const saving = useSaveRule(siteId, rule.id)
  const isOn = saving.isPending ? (saving.variables.is_active ?? rule.is_active) : rule.is_active
  const now = useMinute()
  const isLate = rule.to !== null && Date.parse(rule.to) < now
  return (
    <span className="row">
      <Switch
        isOn={isOn}
        onChange={(is_active) =>
          saving.mutate({ is_active }, { onError: (error) => sayFailed(faultText(error, common)) })
        }
      >
        <span className="only-read-out">{words.switchOn(rule.name)}</span>
      </Switch>
      {isOn && !isInForce({ ...rule, is_active: true }, now) ? (
        <span className="badge">{isLate ? words.over : words.later}</span>
      ) : null}
    </span>
  )
}
