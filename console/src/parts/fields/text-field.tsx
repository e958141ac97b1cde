import type { RefObject } from 'react'
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'

interface FieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string
  readonly help?: string
  /** What is wrong with the value; faults of the service come by the form's `validationErrors` and the field's name. */
  readonly fault?: string | null
}

interface LineProps extends FieldProps {
  readonly placeholder?: string
  readonly isCode?: boolean
  readonly inputRef?: RefObject<HTMLInputElement | null>
}

/** A line of text with its label, help and fault. */
export function TextField({ label, help, fault, placeholder, isCode = false, inputRef, ...rest }: LineProps) {
  return (
    <AriaTextField {...rest} validationBehavior="aria" isInvalid={isInvalid(fault)} className="field">
      <FieldLabel label={label} isOptional={rest.isRequired === false} />
      <Input ref={inputRef} placeholder={placeholder} className={isCode ? 'code' : undefined} />
      <FieldNotes help={help} fault={fault} />
    </AriaTextField>
  )
}

/** Several lines of text. */
export function TextArea({ label, help, fault, rows = 5, ...rest }: FieldProps & { readonly rows?: number }) {
  return (
    <AriaTextField {...rest} validationBehavior="aria" isInvalid={isInvalid(fault)} className="field">
      <FieldLabel label={label} isOptional={rest.isRequired === false} />
      <AriaTextArea rows={rows} />
      <FieldNotes help={help} fault={fault} />
    </AriaTextField>
  )
}

/** With `undefined` the faults of the form decide. */
export const isInvalid = (fault: string | null | undefined): true | undefined =>
  fault === null || fault === undefined ? undefined : true

/** The label of a field. What may be left empty says so, since most fields may not. */
export function FieldLabel({ label, isOptional = false }: { readonly label: string; readonly isOptional?: boolean }) {
  const { optional } = useWords()
  return (
    <Label className="label">
      {label}
      {isOptional ? <span className="label-optional"> ({optional})</span> : null}
    </Label>
  )
}

/** Help and fault below a control. */
export function FieldNotes({ help, fault }: { readonly help?: string; readonly fault?: string | null }) {
  return (
    <>
      {help === undefined ? null : (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <FieldError className="field-fault">{fault ?? (({ validationErrors }) => validationErrors.join(' '))}</FieldError>
    </>
  )
}
