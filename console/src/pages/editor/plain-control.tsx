import { useState } from 'react'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextArea, TextField } from '../../parts/fields/text-field.tsx'
import { EntryPick } from './entry-pick.tsx'
import { FreeDetails } from './free-details.tsx'
import type { PlainField } from './metadata-fields.ts'
import { useEditorWords } from './words.ts'

interface ControlProps {
  readonly field: PlainField
  readonly value: unknown
  readonly fault: string | null
  /** Called with the new value; undefined removes the field. */
  readonly onChange: (value: unknown) => void
}

const NONE = 'none'

/** Shows a field with one value, with the control that fits it. */
export function PlainControl(props: ControlProps) {
  const { field, value, fault, onChange } = props
  const { metadata: words } = useEditorWords()
  const label = words.labels[field.name] ?? field.name
  const text = typeof value === 'string' ? value : ''
  const setText = (typed: string): void => onChange(typed === '' ? undefined : typed)
  const isRequired = field.isNeeded === true
  switch (field.kind) {
    case 'line':
      return <TextField label={label} value={text} onChange={setText} fault={fault} isRequired={isRequired} />
    case 'lines':
      return <TextArea label={label} rows={3} value={text} onChange={setText} fault={fault} isRequired={isRequired} />
    case 'entry':
      return (
        <EntryPick
          label={label}
          help={words.entryHelp}
          fault={fault}
          chosen={text === '' ? null : text}
          onChoose={(id) => onChange(id ?? undefined)}
        />
      )
    case 'number':
      return <NumberField {...props} label={label} />
    case 'time':
      return (
        <Field label={label} fault={fault}>
          {(ids) => (
            <input
              {...ids}
              type="datetime-local"
              value={localTime(text)}
              onChange={({ target }) =>
                onChange(target.value === '' ? undefined : new Date(target.value).toISOString())
              }
            />
          )}
        </Field>
      )
    case 'flag':
      return (
        <Checkbox isSelected={value === true} onChange={onChange}>
          {label}
        </Checkbox>
      )
    case 'tags':
      return (
        <TagInput
          label={label}
          fault={fault}
          tags={Array.isArray(value) ? value.map(String) : []}
          onChange={(tags) => onChange(tags.length === 0 ? undefined : tags)}
        />
      )
    case 'choice':
      return (
        <Select
          label={label}
          fault={fault}
          chosen={text === '' ? NONE : text}
          choices={[
            { id: NONE, name: words.none },
            ...(field.choices ?? []).map((id) => ({ id, name: words.choices[id] ?? id })),
          ]}
          onChoose={(id) => onChange(id === NONE ? undefined : id)}
        />
      )
    case 'free':
      return (
        <FreeDetails
          label={label}
          fault={fault}
          values={value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}}
          onChange={(values) => onChange(Object.keys(values).length === 0 ? undefined : values)}
        />
      )
  }
}

/** Keeps the typed text while it is no number yet. */
function NumberField(props: ControlProps & { readonly label: string }) {
  const { value, fault, onChange, label } = props
  const { metadata: words } = useEditorWords()
  const [typed, setTyped] = useState(typeof value === 'number' ? String(value) : '')
  const isNumber = typed.trim() === '' || Number.isFinite(Number(typed.replace(',', '.')))
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={typed}
      fault={isNumber ? fault : words.number}
      isRequired={false}
      onChange={(next) => {
        setTyped(next)
        const number = Number(next.replace(',', '.'))
        onChange(next.trim() === '' ? undefined : Number.isFinite(number) ? number : next)
      }}
    />
  )
}

/** Returns a time as the browser's field takes it: in the person's own time zone, without naming the zone. */
function localTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
