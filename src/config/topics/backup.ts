import { join } from 'node:path'
import { choice, folder, integer, postgresUrl } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'
import type { With } from '../values.ts'

export const BACKUP = topic({
  title: 'Backup',
  ownPrefixes: ['BACKUP_'],
  settings: {
    /** Hours between two backups; null when the service makes none by itself. */
    everyHours: setting({
      name: 'BACKUP_EVERY_HOURS',
      kind: integer(1, 8_760),
      defaultWords: '(unset: it makes none)',
      meaning: 'The hours between two backups that the service makes by itself.',
      example: '24',
    }),
    keep: setting({
      name: 'BACKUP_KEEP',
      kind: integer(1, 10_000),
      default: '7',
      meaning: 'How many of those backups the service keeps.',
      example: '30',
    }),
    folder: setting({
      name: 'BACKUP_FOLDER',
      kind: folder,
      defaultWords: '(DATA_DIR/backups)',
      meaning: 'The folder of those backups.',
      example: '/var/backups/knowledge',
    }),
    elsewhere: setting({
      name: 'BACKUP_ELSEWHERE',
      kind: choice(['on', 'off']),
      default: 'off',
      meaning:
        'Whether other means back the database up, such as an archive of its log. Then the service does not warn that ' +
        'there are no backups.',
      example: 'on',
    }),
    /** Address of PostgreSQL behind a pooler; null when the address of the database is that of PostgreSQL. */
    databaseUrl: setting({
      name: 'BACKUP_DATABASE_URL',
      kind: postgresUrl,
      defaultWords: '(DATABASE_URL)',
      meaning: 'The PostgreSQL server itself, for pg_dump and pg_restore, where DATABASE_URL has ?pooling=transaction.',
      example: 'postgres://knowledge:password@db.example.com/knowledge',
    }),
    /** Folder of pg_dump and pg_restore; null to look in the usual folders. */
    postgresBin: setting({
      name: 'BACKUP_POSTGRES_BIN',
      kind: folder,
      defaultWords: '(looked for)',
      meaning: 'The folder of pg_dump and pg_restore, of the version of the server or newer.',
      example: '/opt/postgresql/bin',
    }),
  },
})

type Values = ValuesOf<typeof BACKUP.settings>
/** Backups that the service makes, and the settings that every backup is made with. */
export type BackupConfig = With<Values, 'folder'>

/** Completes the settings of backups. Without a folder it is `backups` in the data folder. */
export function backupConfig(values: Values, dataDir: string): BackupConfig {
  return { ...values, folder: values.folder ?? join(dataDir, 'backups') }
}
