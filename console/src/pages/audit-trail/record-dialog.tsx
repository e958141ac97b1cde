import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Person } from '../../parts/text/person.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { settingName, settingText } from '../settings/setting-text.ts'
import { useSettingsWords } from '../settings/words.ts'
import type { AuditFilters } from './audit-filters.ts'
import { changesIn, wordFor, strangerOf } from './names.ts'
import type { AuditRecord } from './queries.ts'
import { useFilters } from './use-filters.ts'
import { useAuditWords } from './words.ts'

/** Shows all values of one record, and leads to similar records. */
export function RecordDialog({ record, onClose }: { readonly record: AuditRecord; readonly onClose: () => void }) {
  const { formats } = useLanguage()
  const words = useAuditWords()
  const { set } = useFilters()
  const { record: own } = words
  const only = (filters: AuditFilters): void => {
    set(filters)
    onClose()
  }
  const { user_id: person, credential_id: credential, resource_id: thing } = record
  return (
    <Dialog title={own.title} onClose={onClose} isWide>
      <div className="stack">
        <DescriptionList
          facts={[
            [words.when, formats.moment(record.created_at)],
            [words.who, <Person key="who" person={record.user} none={strangerOf(record, words)} />],
            [words.what, wordFor(words.actions, record.action)],
            [words.thing, wordFor(words.kinds, record.resource_type)],
            [own.id, <code key="id">{thing}</code>],
            [words.where, wordFor(words.sources, record.source)],
            credential === null ? null : [own.credential, <code key="credential">{credential}</code>],
            record.client_id === null ? null : [own.application, <code key="client">{record.client_id}</code>],
            record.claimed_source === null ? null : [own.claimed, <code key="claimed">{record.claimed_source}</code>],
            [own.number, <code key="number">{record.id}</code>],
          ]}
        />
        <Changes record={record} />
        <div className="row">
          {person === null ? null : <Button onPress={() => only({ person })}>{own.byPerson}</Button>}
          <Button onPress={() => only({ thing, kind: record.resource_type })}>{own.byThing}</Button>
          {credential === null ? null : <Button onPress={() => only({ credential })}>{own.byCredential}</Button>}
        </div>
      </div>
    </Dialog>
  )
}

/** Lists the settings that a change of settings changed. */
function Changes({ record }: { readonly record: AuditRecord }) {
  const { formats } = useLanguage()
  const { record: own } = useAuditWords()
  const settings = useSettingsWords()
  const changes = changesIn(record)
  if (changes.length === 0) return null
  const text = (name: string, value: unknown): string =>
    typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : value === undefined || value === null
        ? own.none
        : settingText(name, value, settings, formats)
  return (
    <Table
      label={own.changes}
      rows={changes}
      keyOf={({ name }) => name}
      columns={[
        { head: own.setting, cell: ({ name }) => settingName(name, settings) },
        { head: own.from, cell: ({ name, before }) => <span className="wrap">{text(name, before)}</span> },
        { head: own.to, cell: ({ name, after }) => <span className="wrap">{text(name, after)}</span> },
      ]}
    />
  )
}
