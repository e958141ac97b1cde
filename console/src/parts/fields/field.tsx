import { type ReactNode, useId } from 'react'

interface FieldIds {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

/** Shows a labelled control with help and fault. `children` puts the given attributes on the control. */
export function Field(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly children: (ids: FieldIds) => ReactNode
}) {
  const { label, help, fault = null, children } = props
  const id = useId()
  const noteIds = [help === undefined ? [] : `${id}-help`, fault === null ? [] : `${id}-fault`].flat().join(' ')
  const ids: FieldIds = {
    id,
    ...(noteIds === '' ? {} : { 'aria-describedby': noteIds }),
    ...(fault === null ? {} : { 'aria-invalid': true }),
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(ids)}
      {help === undefined ? null : (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {fault === null ? null : (
        <p className="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  )
}
