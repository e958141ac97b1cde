import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  type CheckboxProps,
  Label,
  Radio as AriaRadio,
  RadioGroup as AriaRadioGroup,
  Switch as AriaSwitch,
} from 'react-aria-components'
import { FieldNotes, isInvalid } from './text-field.tsx'
import type { Choice } from './select.tsx'

/** Shows a box to tick, with its text. */
export function Checkbox(
  props: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { readonly children?: ReactNode },
) {
  const { children, ...rest } = props
  return (
    <AriaCheckbox {...rest} className="check">
      {({ isIndeterminate, isSelected }) => (
        <>
          <span className="tick" aria-hidden>
            {isIndeterminate ? (
              <Minus size={14} strokeWidth={3} />
            ) : isSelected ? (
              <Check size={14} strokeWidth={3} />
            ) : null}
          </span>
          {children === undefined ? null : <span>{children}</span>}
        </>
      )}
    </AriaCheckbox>
  )
}

/** Shows a group of boxes of which any number may be ticked. */
export function CheckboxGroup<Id extends string>(props: {
  readonly label: string
  readonly name?: string
  readonly help?: string
  readonly fault?: string | null
  readonly choices: readonly Choice<Id>[]
  readonly chosen: readonly Id[]
  readonly onChange: (chosen: Id[]) => void
}) {
  return (
    <AriaCheckboxGroup
      className="field"
      name={props.name}
      value={[...props.chosen]}
      onChange={(chosen) => props.onChange(chosen as Id[])}
      isInvalid={isInvalid(props.fault)}
      validationBehavior="aria"
    >
      <Label className="label">{props.label}</Label>
      {props.choices.map(({ id, name, help }) => (
        <Checkbox key={id} value={id}>
          {name}
          {help === undefined ? null : <span className="second">{help}</span>}
        </Checkbox>
      ))}
      <FieldNotes help={props.help} fault={props.fault} />
    </AriaCheckboxGroup>
  )
}

/** Shows a switch for a setting that is on or off and takes effect at once. */
export function Switch(props: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
  readonly help?: string
  readonly children: ReactNode
}) {
  return (
    <AriaSwitch className="switch" isSelected={props.isOn} onChange={props.onChange} isDisabled={props.isDisabled}>
      <span className="switch-track" aria-hidden>
        <span className="switch-thumb" />
      </span>
      <span>
        {props.children}
        {props.help === undefined ? null : <span className="second">{props.help}</span>}
      </span>
    </AriaSwitch>
  )
}

/** Lets people choose one of a few values that are all worth reading. */
export function RadioGroup<Id extends string>(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly choices: readonly Choice<Id>[]
  readonly chosen: Id | null
  readonly onChoose: (id: Id) => void
}) {
  return (
    <AriaRadioGroup
      className="field"
      value={props.chosen}
      onChange={(id) => props.onChoose(id as Id)}
      isInvalid={isInvalid(props.fault)}
      validationBehavior="aria"
    >
      <Label className="label">{props.label}</Label>
      {props.choices.map(({ id, name, help }) => (
        <AriaRadio key={id} value={id} className="check">
          <span className="tick tick-round" aria-hidden />
          <span>
            {name}
            {help === undefined ? null : <span className="second">{help}</span>}
          </span>
        </AriaRadio>
      ))}
      <FieldNotes help={props.help} fault={props.fault} />
    </AriaRadioGroup>
  )
}
