import type { MetadataField, RowsField } from './metadata-fields.ts'
import { MetadataRows } from './metadata-rows.tsx'
import { PlainControl } from './plain-control.tsx'

/** Shows one field of the metadata, with the control that fits it. */
export function MetadataControl(props: {
  readonly field: MetadataField
  readonly value: unknown
  readonly fault: string | null
  /** Called with the new value; undefined removes the field. */
  readonly onChange: (value: unknown) => void
}) {
  const { field, ...rest } = props
  return hasRows(field) ? <MetadataRows field={field} {...rest} /> : <PlainControl field={field} {...rest} />
}

const hasRows = (field: MetadataField): field is RowsField => field.kind === 'rows' || field.kind === 'texts'
