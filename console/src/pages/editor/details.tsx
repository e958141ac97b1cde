import { useQuery } from '@tanstack/react-query'
import type { EntryFields, Visibility } from '../../api/entry-fields.ts'
import { ENTRY_TYPES, type EntryType } from '../../api/entry-type.ts'
import { groupsQuery } from '../../api/groups.ts'
import { useMay, useSession } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { CategoryPicker } from '../../parts/fields/category-picker.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextArea, TextField } from '../../parts/fields/text-field.tsx'
import { languagesToChoose } from '../../parts/fields/languages-to-choose.ts'
import { MetadataForm } from './metadata-form.tsx'
import { Readers } from './readers.tsx'
import { useEditorWords } from './words.ts'

const NONE = 'none'
const AUTO = 'auto'
const LEVELS = ['public', 'community', 'internal', 'workspace', 'restricted'] as const satisfies readonly Visibility[]

export interface FieldProps {
  readonly fields: EntryFields
  readonly isNew: boolean
  readonly faultAt: (path: string) => string | null
  readonly onChange: (some: Partial<EntryFields>) => void
}

/** Asks where the entry belongs and who can read it. */
export function Details(props: FieldProps) {
  const { fields, isNew, faultAt, onChange } = props
  const { words: common } = useLanguage()
  const words = useEditorWords()
  return (
    <>
      <CategoryPicker
        label={words.category}
        placeholder={words.categoryPlaceholder}
        name="category_id"
        fault={faultAt('category_id')}
        chosen={fields.category_id}
        onChoose={(id) => onChange({ category_id: id })}
      />
      <VisibilityFields {...props} />
      {isNew ? (
        <Select
          label={words.type}
          help={words.typeFixed}
          fault={faultAt('type')}
          chosen={fields.type}
          choices={ENTRY_TYPES.map((id) => ({ id, name: common.entryTypes[id] }))}
          onChoose={(type: EntryType) => onChange({ type, metadata: {} })}
        />
      ) : null}
      <TagInput label={words.tags} fault={faultAt('tags')} tags={fields.tags} onChange={(tags) => onChange({ tags })} />
    </>
  )
}

function VisibilityFields({ fields, isNew, faultAt, onChange }: FieldProps) {
  const { words: common } = useLanguage()
  const words = useEditorWords()
  const { scopes } = useSession()
  const mayNote = useMay('knowledge:personal')
  const workspaces = useQuery({ ...groupsQuery('workspaces'), enabled: fields.visibility === 'workspace' })
  // A stored entry cannot be made personal.
  const personal = fields.visibility === 'personal' || (isNew && mayNote)
  const levels: readonly Visibility[] = [
    ...LEVELS.filter((level) => scopes.includes(`visibility:${level}`) || level === fields.visibility),
    ...(personal ? (['personal'] as const) : []),
  ]
  return (
    <div className="stack-tight">
      <Select
        label={words.visibility}
        fault={faultAt('visibility')}
        chosen={fields.visibility}
        choices={levels.map((id) => ({ id, name: common.visibility[id].name, help: common.visibility[id].who }))}
        onChoose={(visibility) => onChange({ visibility })}
      />
      {fields.visibility === 'workspace' && (workspaces.data?.length ?? 0) > 0 ? (
        <Select
          label={words.workspace}
          fault={faultAt('workspace_id')}
          chosen={fields.workspace_id ?? NONE}
          choices={[
            { id: NONE, name: words.noWorkspace },
            ...(workspaces.data ?? []).map(({ id, name }) => ({ id, name })),
          ]}
          onChoose={(id) => onChange({ workspace_id: id === NONE ? null : id })}
        />
      ) : null}
      <Readers visibility={fields.visibility} workspaceId={fields.workspace_id} />
    </div>
  )
}

const MORE = ['summary', 'language', 'search_keywords', 'url', 'layer', 'metadata'] as const

/** Asks for details that few entries need. */
export function MoreDetails({ fields, faultAt, onChange }: FieldProps) {
  const { language: ownLanguage, formats } = useLanguage()
  const words = useEditorWords()
  const hasFault = MORE.some((name) => faultAt(name) !== null)
  return (
    // Open when it has a fault, which must be seen.
    <details className="more-details" open={hasFault ? true : undefined}>
      <summary>{words.more}</summary>
      <div className="stack">
        <TextArea
          label={words.summary}
          help={words.summaryHelp}
          rows={3}
          fault={faultAt('summary')}
          value={fields.summary}
          onChange={(summary) => onChange({ summary })}
        />
        <Select
          label={words.language}
          fault={faultAt('language')}
          chosen={fields.language === '' ? AUTO : fields.language}
          choices={[
            ...(fields.language === '' ? [{ id: AUTO, name: words.languageAuto }] : []),
            ...languagesToChoose(fields.language, ownLanguage).map((id) => ({ id, name: formats.languageName(id) })),
          ]}
          onChoose={(language) => onChange({ language: language === AUTO ? '' : language })}
        />
        <TagInput
          label={words.keywords}
          help={words.keywordsHelp}
          fault={faultAt('search_keywords')}
          tags={fields.search_keywords}
          onChange={(keywords) => onChange({ search_keywords: keywords })}
        />
        <TextField
          label={words.url}
          help={words.urlHelp}
          fault={faultAt('url')}
          value={fields.url}
          onChange={(url) => onChange({ url })}
        />
        <TextField
          label={words.layer}
          help={words.layerHelp}
          fault={faultAt('layer')}
          maxLength={50}
          value={fields.layer}
          onChange={(layer) => onChange({ layer })}
        />
        {/* Other types show their metadata beside the text (writing.tsx). */}
        {fields.type === 'knowledge' ? (
          <MetadataForm fields={fields} faultAt={faultAt} onChange={(metadata) => onChange({ metadata })} />
        ) : null}
      </div>
    </details>
  )
}
