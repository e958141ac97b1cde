import { Group, Input, NumberField as AriaNumberField } from 'react-aria-components'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

/**
 * Lets people enter a number with its unit, written as the person's language writes numbers. Arrow keys change it by a
 * step.
 */
export function NumberField(props: {
  readonly label: string
  /** Path in the body, for faults of the service. */
  readonly name?: string
  readonly help?: string
  readonly fault?: string | null
  /** Unit in words, such as "days". */
  readonly unit?: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step?: number
  /** Called with the new number; NaN for an empty field, which the service refuses beside the field. */
  readonly onChange: (value: number) => void
}) {
  const { label, help, fault, unit, min, max, step = 1 } = props
  return (
    <AriaNumberField
      className="field"
      name={props.name}
      value={props.value}
      onChange={props.onChange}
      minValue={min}
      maxValue={max}
      step={step}
      formatOptions={{ maximumFractionDigits: 2 }}
      isInvalid={isInvalid(fault)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} />
      <Group className="number-box">
        <Input className="number-input" />
        {unit === undefined ? null : <span className="quiet">{unit}</span>}
      </Group>
      <FieldNotes help={help} fault={fault} />
    </AriaNumberField>
  )
}
