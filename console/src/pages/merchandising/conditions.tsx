import { Select } from '../../parts/fields/select.tsx'
import { Switch } from '../../parts/fields/checkbox.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import type { RuleDraft } from './queries.ts'
import { useMerchandisingWords } from './words.ts'

/** Asks when the rule applies: words, filters, dates, and whether it is in use. */
export function Conditions(props: {
  readonly draft: RuleDraft
  readonly onChange: (part: Partial<RuleDraft>) => void
}) {
  const words = useMerchandisingWords()
  const { draft, onChange } = props
  const orNull = (text: string): string | null => (text === '' ? null : text)
  return (
    <fieldset className="rule-part">
      <legend>{words.whenTitle}</legend>
      <TextField
        name="query"
        label={words.query}
        help={words.queryHelp}
        isRequired={draft.action === 'redirect'}
        value={draft.query ?? ''}
        maxLength={200}
        onChange={(query) => onChange({ query: orNull(query) })}
      />
      {draft.query === null ? null : (
        <Select
          label={words.match}
          chosen={draft.match}
          choices={(['exact', 'contains'] as const).map((id) => ({ id, name: words.matches[id] }))}
          onChoose={(match) => onChange({ match })}
        />
      )}
      <TextField
        name="filter_category"
        label={words.filterCategory}
        isRequired={false}
        value={draft.filter_category ?? ''}
        onChange={(text) => onChange({ filter_category: orNull(text) })}
      />
      <TextField
        name="filter_brand"
        label={words.filterBrand}
        isRequired={false}
        value={draft.filter_brand ?? ''}
        onChange={(text) => onChange({ filter_brand: orNull(text) })}
      />
      <div className="side-by-side">
        <Time name="from" label={words.start} iso={draft.from} onChange={(from) => onChange({ from })} />
        <Time name="to" label={words.end} iso={draft.to} onChange={(to) => onChange({ to })} />
      </div>
      <Switch isOn={draft.is_active} onChange={(isOn) => onChange({ is_active: isOn })}>
        {words.active}
      </Switch>
    </fieldset>
  )
}

/** Asks for a moment in the time zone of the person's device. */
function Time(props: {
  readonly name: string
  readonly label: string
  readonly iso: string | null
  readonly onChange: (iso: string | null) => void
}) {
  const { name, label, iso, onChange } = props
  return (
    <TextField
      name={name}
      label={label}
      isRequired={false}
      type="datetime-local"
      value={iso === null ? '' : localOf(iso)}
      onChange={(text) => onChange(text === '' ? null : new Date(text).toISOString())}
    />
  )
}

function localOf(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
