import { useLanguage, useWords } from '../../i18n/language.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Meter } from '../../parts/chart/meter.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { searchLagText } from '../../parts/text/search-lag.ts'
import { Ago } from '../../parts/text/time.tsx'
import type { InstallationStatus } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { FULL_SHARE } from './concerns.ts'

interface Props {
  readonly status: InstallationStatus
}

/** Shows the version, the database and the waiting work. */
export function Service({ status: { version, database, tenants, embedding } }: Props) {
  const { number } = useLanguage().formats
  const { status: words } = useOperatorWords()
  const kind = words.databaseKinds[database.kind]
  return (
    <Section title={words.service}>
      <DescriptionList
        facts={[
          [words.version, version],
          [words.organisations, words.organisationsText(number(tenants.active), number(tenants.suspended))],
          [words.database, database.version === null ? kind : words.databaseVersion(kind, database.version)],
          [words.answersIn, words.ms(number(database.answers_in_ms))],
          [words.migrations, number(database.migrations)],
          [words.model, <code key="model">{embedding.model}</code>],
          [words.pending, number(embedding.pending)],
          embedding.failing === 0 ? null : [words.failing, number(embedding.failing)],
        ]}
      />
    </Section>
  )
}

/** Shows the memory that search takes, and how far its indexes are behind. */
export function Memory({ status: { search } }: Props) {
  const { number, bytes } = useLanguage().formats
  const { status: words } = useOperatorWords()
  const { searchLag } = useWords()
  return (
    <Section title={words.memory}>
      {search === null ? (
        <p className="quiet">{words.noMemory}</p>
      ) : (
        <div className="stack">
          <Meter
            label={words.used}
            value={search.bytes}
            max={search.bytes_max}
            text={words.usedOf(bytes(search.bytes), bytes(search.bytes_max))}
            isWarning={search.bytes > search.bytes_max * FULL_SHARE}
          />
          <DescriptionList
            facts={[
              [words.indexes, number(search.indexes)],
              [words.documents, number(search.documents)],
              [searchLag.label, searchLagText(search, searchLag, number)],
            ]}
          />
        </div>
      )}
    </Section>
  )
}

/** Shows the state of the backups that the service makes by itself. */
export function Backups({ status: { backups } }: Props) {
  const { number, bytes } = useLanguage().formats
  const { status: words } = useOperatorWords()
  const last = backups.last_success_at
  return (
    <Section title={words.backups}>
      {backups.every_hours === null ? (
        <p className="quiet">{words.noBackups}</p>
      ) : (
        <DescriptionList
          facts={[
            [words.backupEvery, words.hours(number(backups.every_hours))],
            [words.lastBackup, last === null ? words.noneYet : <Ago key="last" iso={last} />],
            backups.bytes === null ? null : [words.backupSize, bytes(backups.bytes)],
          ]}
        />
      )}
    </Section>
  )
}

/** Lists the parts of the service that work in the background. */
export function Workers({ status: { threads } }: Props) {
  const { number } = useLanguage().formats
  const { status: words } = useOperatorWords()
  return (
    <Section title={words.workers}>
      <Table
        label={words.workers}
        rows={threads}
        keyOf={({ name }) => name}
        columns={[
          { head: words.worker, cell: ({ name }) => words.threads[name] ?? name },
          {
            head: words.state,
            cell: ({ down }) => (
              <span className={down ? 'badge badge-caution' : 'badge badge-active'}>
                {down ? words.down : words.runs}
              </span>
            ),
          },
          { head: words.restarts, cell: ({ restarts }) => number(restarts) },
        ]}
      />
    </Section>
  )
}
