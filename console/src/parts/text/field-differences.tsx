import { useCategories } from '../../api/category-names.ts'
import type { EntryFields } from '../../api/entry-fields.ts'
import { useLanguage } from '../../i18n/language.tsx'

/** Lists fields that differ, each before and after. */
export function FieldDifferences(props: {
  readonly before: EntryFields
  readonly after: EntryFields
  readonly names: readonly (keyof EntryFields)[]
}) {
  const { words: common, formats } = useLanguage()
  const { categories = [] } = useCategories()
  if (props.names.length === 0) return null
  const textOf = (fields: EntryFields, name: keyof EntryFields): string => {
    const value = fields[name]
    if (name === 'category_id') return categories.find(({ id }) => id === value)?.path ?? fields.category_id ?? ''
    if (name === 'visibility') return common.visibility[fields.visibility].name
    if (name === 'language') return fields.language === '' ? '' : formats.languageName(fields.language)
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 1) : (value ?? '')
  }
  return (
    <section>
      <h3>{common.entryFields.differ}</h3>
      <dl className="description-list">
        {props.names.map((name) => (
          <div key={name} className="field-difference">
            <dt>{common.entryFields.names[name]}</dt>
            <dd className="wrap">
              <del>{textOf(props.before, name)}</del> <ins>{textOf(props.after, name)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
