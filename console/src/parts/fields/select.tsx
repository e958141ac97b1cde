import { Check, ChevronDown } from 'lucide-react'
import {
  Button,
  type Key,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components'
import { harmless } from '../../jsx/harmless.ts'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

export interface Choice<Id extends string> {
  readonly id: Id
  readonly name: string
  /** Second line, which explains the choice. */
  readonly help?: string
}

/** Chooses one of a few values. For many values use `TagInput` or a search. */
export function Select<Id extends string>(props: {
  readonly label: string
  /** Whether the label is only read out, because the place explains the control. */
  readonly isLabelHidden?: boolean
  readonly name?: string
  readonly help?: string
  readonly fault?: string | null
  readonly choices: readonly Choice<Id>[]
  readonly chosen: Id | null
  readonly onChoose: (id: Id) => void
  readonly isDisabled?: boolean
}) {
  const { label, isLabelHidden = false, help, fault, choices, chosen } = props
  return (
    <AriaSelect
      className="field"
      name={props.name}
      aria-label={isLabelHidden ? label : undefined}
      value={chosen}
      onChange={(key: Key | null) => {
        if (key !== null) props.onChoose(key as Id)
      }}
      isDisabled={props.isDisabled}
      isInvalid={isInvalid(fault)}
      validationBehavior="aria"
    >
      {isLabelHidden ? null : <FieldLabel label={label} />}
      <Button className="select">
        <SelectValue className="select-value">
          {({ selectedText, defaultChildren }) => (selectedText === null ? defaultChildren : harmless(selectedText))}
        </SelectValue>
        <ChevronDown className="icon" size={16} aria-hidden />
      </Button>
      <FieldNotes help={help} fault={fault} />
      <Popover className="popover">
        <ListBox className="list-box" items={choices}>
          {(choice: Choice<Id>) => <OptionOf choice={choice} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

function OptionOf<Id extends string>({ choice }: { readonly choice: Choice<Id> }) {
  return (
    <ListBoxItem id={choice.id} textValue={choice.name} className="option">
      <Check className="icon option-check" size={16} aria-hidden />
      <span>
        {choice.name}
        {choice.help === undefined ? null : <span className="second">{choice.help}</span>}
      </span>
    </ListBoxItem>
  )
}
