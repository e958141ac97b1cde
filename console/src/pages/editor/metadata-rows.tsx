import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../parts/layout/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import type { RowsField } from './metadata-fields.ts'
import { PlainControl } from './plain-control.tsx'
import { useEditorWords } from './words.ts'

/** Edits several rows in order, such as the steps of a process: each with several fields, or with one text. */
export function MetadataRows(props: {
  readonly field: RowsField
  readonly value: unknown
  readonly fault: string | null
  readonly onChange: (rows: unknown) => void
}) {
  const { field, fault, onChange } = props
  const { metadata: words } = useEditorWords()
  const label = words.labels[field.name] ?? field.name
  const rows: readonly unknown[] = Array.isArray(props.value) ? props.value : []
  const { columns } = field
  const setRow = (i: number, row: unknown): void => onChange(rows.with(i, row))
  return (
    <fieldset className="metadata-rows">
      <legend className="label">{label}</legend>
      <ol className="plain-list stack">
        {rows.map((row, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no name but their number
          <li key={i} className="metadata-row">
            <div className="stack metadata-row-fields">
              {columns === undefined ? (
                <TextField label={words.row(i + 1)} value={String(row)} onChange={(text) => setRow(i, text)} />
              ) : (
                columns.map((column) => (
                  <PlainControl
                    key={column.name}
                    field={column}
                    value={(row as Record<string, unknown>)[column.name]}
                    fault={null}
                    onChange={(value) => setRow(i, withValue(row as Record<string, unknown>, column.name, value))}
                  />
                ))
              )}
            </div>
            <IconButton
              icon={Trash2}
              size="small"
              label={words.removeRow(i + 1)}
              onPress={() => onChange(rows.toSpliced(i, 1))}
            />
          </li>
        ))}
      </ol>
      {fault === null ? null : (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      )}
      <Button size="small" icon={Plus} onPress={() => onChange([...rows, columns === undefined ? '' : {}])}>
        {words.addRow}
      </Button>
    </fieldset>
  )
}

function withValue(row: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _before, ...rest } = row
  return value === undefined ? rest : { ...rest, [name]: value }
}
