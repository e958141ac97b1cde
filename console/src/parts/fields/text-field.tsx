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
  /**
   * Fault of the value that the page found; faults of the service come by the form's `validationErrors` and the field's
   * name.
   */
  readonly fault?: string | null
}

interface LineProps extends FieldProps {
  readonly placeholder?: string
  readonly isCode?: boolean
  readonly inputRef?: RefObject<HTMLInputElement | null>
}

/** Shows a line of text with its label, help and fault. */
export function TextField({ label, help, fault, placeholder, isCode = false, inputRef, ...rest }: LineProps) {
  return (
    <AriaTextField {...rest} validationBehavior="aria" isInvalid={isInvalid(fault)} className="field">
      <FieldLabel label={label} isOptional={rest.isRequired === false} />
      <Input ref={inputRef} placeholder={placeholder} className={isCode ? 'code' : undefined} />
      <FieldNotes help={help} fault={fault} />
    </AriaTextField>
  )
}

/** Shows a field for several lines of text. */
export function TextArea({ label, help, fault, rows = 5, ...rest }: FieldProps & { readonly rows?: number }) {
  return (
    <AriaTextField {...rest} validationBehavior="aria" isInvalid={isInvalid(fault)} className="field">
      <FieldLabel label={label} isOptional={rest.isRequired === false} />
      <AriaTextArea rows={rows} />
      <FieldNotes help={help} fault={fault} />
    </AriaTextField>
  )
}

/** Returns true for a field with a fault of its own; undefined leaves the decision to the faults of the form. */
export const isInvalid = (fault: string | null | undefined): true | undefined =>
  fault === null || fault === undefined ? undefined : true

/** Shows the label of a field. A field that may be left empty says so, since most may not. */
export function FieldLabel({ label, isOptional = false }: { readonly label: string; readonly isOptional?: boolean }) {
  const { optional } = useWords()
  return (
    <Label className="label">
      {label}
      {isOptional ? <span className="label-optional"> ({optional})</span> : null}
    </Label>
  )
}

/** Shows help and fault below a control. */
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
