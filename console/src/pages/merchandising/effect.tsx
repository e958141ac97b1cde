import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { ProductPicker } from './product-picker.tsx'
import { choicesQuery, type RuleDraft } from './queries.ts'
import { useMerchandisingWords } from './words.ts'

const ACTIONS = ['pin', 'boost', 'bury', 'hide', 'redirect'] as const
const STRENGTHS = { slight: 0.25, clear: 0.5, strong: 1 } as const

/** Asks for the name, the action, and the products that it concerns. */
export function Effect(props: {
  readonly siteId: string
  readonly draft: RuleDraft
  readonly onChange: (part: Partial<RuleDraft>) => void
}) {
  const words = useMerchandisingWords()
  const { siteId, draft, onChange } = props
  const { action } = draft
  return (
    <fieldset className="rule-part">
      <legend>{words.what}</legend>
      <TextField
        name="name"
        label={words.name}
        value={draft.name}
        maxLength={200}
        onChange={(name) => onChange({ name })}
      />
      <Select
        name="action"
        label={words.action}
        chosen={action}
        choices={ACTIONS.map((id) => ({ id, name: words.actions[id], help: words.actionHelp[id] }))}
        onChoose={(chosen) => onChange({ action: chosen })}
      />
      {action === 'boost' || action === 'bury' ? (
        <Select
          label={words.strength}
          chosen={strengthName(draft.strength)}
          choices={(['slight', 'clear', 'strong'] as const).map((id) => ({ id, name: words.strengths[id] }))}
          onChoose={(id) => onChange({ strength: STRENGTHS[id] })}
        />
      ) : null}
      {action === 'redirect' ? (
        <TextField
          name="address"
          label={words.address}
          help={words.addressHelp}
          value={draft.address ?? ''}
          onChange={(address) => onChange({ address: address === '' ? null : address })}
        />
      ) : (
        <>
          <ProductPicker
            siteId={siteId}
            chosen={draft.product_ids}
            onChange={(ids) => onChange({ product_ids: [...ids] })}
          />
          {action === 'pin' ? null : <Kinds {...props} />}
        </>
      )}
    </fieldset>
  )
}

function strengthName(strength: number): keyof typeof STRENGTHS {
  return strength <= 0.35 ? 'slight' : strength <= 0.75 ? 'clear' : 'strong'
}

/** Asks for brands, categories and stock, with the values of the site to choose from. */
function Kinds(props: {
  readonly siteId: string
  readonly draft: RuleDraft
  readonly onChange: (part: Partial<RuleDraft>) => void
}) {
  const words = useMerchandisingWords()
  const { language } = useLanguage()
  const { siteId, draft, onChange } = props
  const [brands, categories, stocks] = (useQuery(choicesQuery(siteId, '')).data?.facets ?? []).map(({ values = [] }) =>
    values.map(({ value }) => value),
  )
  // Values of the shop by their text for people.
  const valuesByText = new Map((stocks ?? []).map((each) => [stockName(each, language), each]))
  return (
    <>
      <TagInput
        label={words.brands}
        tags={draft.brands}
        suggestions={brands ?? []}
        onChange={(chosen) => onChange({ brands: [...chosen] })}
      />
      <TagInput
        label={words.categories}
        tags={draft.categories}
        suggestions={categories ?? []}
        onChange={(chosen) => onChange({ categories: [...chosen] })}
      />
      <TagInput
        label={words.stocks}
        tags={draft.availabilities.map((each) => stockName(each, language))}
        suggestions={[...valuesByText.keys()]}
        onChange={(chosen) =>
          onChange({
            availabilities: chosen.map(
              (name) =>
                valuesByText.get(name) ??
                draft.availabilities.find((each) => stockName(each, language) === name) ??
                name,
            ),
          })
        }
      />
      <p className="help">{words.whichHelp}</p>
    </>
  )
}
