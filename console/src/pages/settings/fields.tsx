import type { ReactNode } from 'react'
import { RadioGroup } from '../../parts/fields/checkbox.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Flag } from './flag.tsx'
import { SettingsGroup } from './group.tsx'
import type { Settings } from './queries.ts'
import { useSettingsWords } from './words.ts'

const WEIGHT = { min: 0, max: 10, step: 0.05 } as const

interface Props {
  readonly settings: Settings
  readonly onChange: (changes: Partial<Settings>) => void
}

/**
 * Asks for settings of search and of products.
 * @param props.engine choice of the engine, for an operator; for an administrator its name
 */
export function SearchFields({ settings, onChange, engine }: Props & { readonly engine?: ReactNode }) {
  const words = useSettingsWords()
  const { fields, search, products } = words
  return (
    <>
      <SettingsGroup title={search.title} help={search.help}>
        <NumberField
          {...WEIGHT}
          name="vector_weight"
          label={fields.vector_weight}
          help={search.weightHelp}
          value={settings.vector_weight}
          onChange={(weight) => onChange({ vector_weight: weight })}
        />
        {engine}
      </SettingsGroup>
      <SettingsGroup title={products.title} help={products.help}>
        <RadioGroup
          label={fields.variant_strategy}
          choices={choicesOf(products.variants)}
          chosen={settings.variant_strategy}
          onChoose={(chosen) => onChange({ variant_strategy: chosen })}
        />
        <NumberField
          {...WEIGHT}
          name="product_vector_weight"
          label={fields.product_vector_weight}
          help={search.weightHelp}
          value={settings.product_vector_weight}
          onChange={(weight) => onChange({ product_vector_weight: weight })}
        />
      </SettingsGroup>
    </>
  )
}

/** Asks for the engine that searches. */
export function EngineField({ settings, onChange }: Props) {
  const { fields, search } = useSettingsWords()
  return (
    <RadioGroup
      label={fields.search_engine}
      choices={choicesOf(search.engines)}
      chosen={settings.search_engine}
      onChoose={(chosen) => onChange({ search_engine: chosen })}
    />
  )
}

/**
 * Asks who may connect assistants, who needs a second factor, who reads workspaces, and whose pictures are shown.
 * @param props.links links to the pages of applications and of single sign-on
 */
export function AccessFields(
  props: Props & { readonly links?: { readonly clients: ReactNode; readonly singleSignOn: ReactNode } },
) {
  const { settings, onChange, links } = props
  const { fields, assistants, security, workspaces, pictures } = useSettingsWords()
  return (
    <>
      <SettingsGroup title={assistants.title} help={assistants.help}>
        <RadioGroup
          label={fields.oauth_registration}
          choices={choicesOf(assistants.registrations)}
          chosen={settings.oauth_registration}
          onChoose={(chosen) => onChange({ oauth_registration: chosen })}
        />
        {links?.clients}
      </SettingsGroup>
      <SettingsGroup title={security.title} help={security.help}>
        <RadioGroup
          label={fields.require_second_factor}
          choices={choicesOf(security.factors)}
          chosen={settings.require_second_factor}
          onChoose={(chosen) => onChange({ require_second_factor: chosen })}
        />
        {links?.singleSignOn}
      </SettingsGroup>
      <SettingsGroup title={workspaces.title} help={workspaces.help}>
        <Flag
          name="workspaces"
          help={workspaces.closedHelp}
          isOn={settings.workspaces}
          onChange={(isOn) => onChange({ workspaces: isOn })}
        >
          {fields.workspaces}
        </Flag>
      </SettingsGroup>
      <SettingsGroup title={pictures.title} help={pictures.help}>
        <Flag
          name="foreign_pictures"
          help={pictures.foreignHelp}
          isOn={settings.foreign_pictures}
          onChange={(isOn) => onChange({ foreign_pictures: isOn })}
        >
          {fields.foreign_pictures}
        </Flag>
      </SettingsGroup>
    </>
  )
}

function choicesOf<Id extends string>(
  words: Readonly<Record<Id, { readonly name: string; readonly help: string }>>,
): { id: Id; name: string; help: string }[] {
  return (Object.entries(words) as [Id, { name: string; help: string }][]).map(([id, each]) => ({ id, ...each }))
}
