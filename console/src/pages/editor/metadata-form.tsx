import type { EntryFields } from '../../api/entry-fields.ts'
import { Section } from '../../parts/layout/section.tsx'
import { FreeDetails } from './free-details.tsx'
import { MetadataControl } from './metadata-control.tsx'
import { METADATA_FIELDS } from './metadata-fields.ts'
import { useEditorWords } from './words.ts'

type Metadata = EntryFields['metadata']

/**
 * Asks for the details that the type of the entry has.
 * @param props.faultAt returns the fault of a field, by its path in the body
 */
export function MetadataForm(props: {
  readonly fields: EntryFields
  readonly faultAt: (path: string) => string | null
  readonly onChange: (metadata: Metadata) => void
}) {
  const { metadata: words } = useEditorWords()
  const { fields, faultAt, onChange } = props
  const { type, metadata } = fields
  if (type === 'knowledge') {
    return (
      <FreeDetails label={words.labels.free ?? ''} fault={faultAt('metadata')} values={metadata} onChange={onChange} />
    )
  }
  const set = (name: string, value: unknown): void => {
    const { [name]: _before, ...rest } = metadata
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <Section title={words.title}>
      <div className="stack">
        {METADATA_FIELDS[type].map((field) => (
          <MetadataControl
            key={field.name}
            field={field}
            value={metadata[field.name]}
            fault={faultAt(`metadata.${field.name}`)}
            onChange={(value) => set(field.name, value)}
          />
        ))}
      </div>
    </Section>
  )
}
