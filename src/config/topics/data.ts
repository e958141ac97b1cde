import { join } from 'node:path'
import { POOL_MAX } from '../../platform/database/postgres-address.ts'
import { SECRET_CHARACTERS_MIN } from '../../platform/secret-file.ts'
import { folder, integer, kind, postgresUrl, secret, textThat } from '../kinds.ts'
import { type Kind, setting, topic, type ValuesOf } from '../setting.ts'
import type { With } from '../values.ts'

/**
 * The default data directory. It is the same in every folder of the call, so that service and command line share it.
 */
const PROJECT_DATA = join(import.meta.dirname, '../../../data')
/** Connections of the pool at least: two transactions of a tenant leave some for reads. */
const POOL_MIN = 4

const secretKey = secret(
  textThat(`at least ${SECRET_CHARACTERS_MIN} characters`, (raw) => raw.length >= SECRET_CHARACTERS_MIN, 'have'),
)

/** Keys may have commas themselves, so the whole text counts as one too: only the right key opens anything. */
const formerSecretKeys: Kind<readonly string[]> = secret(
  kind(
    `keys of at least ${SECRET_CHARACTERS_MIN} characters`,
    (raw) => {
      const keys = raw.split(',').every((part) => part.length >= SECRET_CHARACTERS_MIN) ? raw.split(',') : []
      return raw.length < SECRET_CHARACTERS_MIN ? undefined : [...new Set([raw, ...keys])]
    },
    'have',
  ),
)

export const DATA = topic({
  title: 'Data',
  ownPrefixes: [],
  settings: {
    dataDir: setting({
      name: 'DATA_DIR',
      kind: folder,
      defaultWords: "the project's data folder",
      meaning: 'The folder of the embedded database and its locks.',
      example: '/var/lib/knowledge',
    }),
    databaseUrl: setting({
      name: 'DATABASE_URL',
      kind: postgresUrl,
      meaning: 'The PostgreSQL database that keeps everything instead of the embedded one.',
      example: 'postgres://knowledge:password@db.example.com/knowledge',
    }),
    databaseReplicaUrl: setting({
      name: 'DATABASE_REPLICA_URL',
      kind: postgresUrl,
      meaning:
        'A streaming replica of that database. The service reads search indexes in memory from it while it is not behind.',
      example: 'postgres://knowledge:password@replica.example.com/knowledge',
    }),
    databasePoolMax: setting({
      name: 'DATABASE_POOL_MAX',
      kind: integer(POOL_MIN, 1_000),
      default: String(POOL_MAX),
      meaning:
        'How many connections to PostgreSQL a process has for requests. It has up to 8 more for its threads and for ' +
        'trying whether it is let in, and another 8 once any tenant is searched by pgvector.',
      example: '20',
    }),
    databaseRefusalSeconds: setting({
      name: 'DATABASE_REFUSAL_SECONDS',
      kind: integer(1, 86_400),
      default: '60',
      meaning:
        'How long a running service waits while PostgreSQL refuses new connections (a changed password, a dropped ' +
        'database). Then it ends with exit code 1.',
      example: '300',
    }),
    /** The key of sealed secrets in the database; null when the key is a file in the data directory. */
    secretKey: setting({
      name: 'SECRET_KEY',
      kind: secretKey,
      defaultWords: '(DATA_DIR/secret.key)',
      meaning: 'The key that encrypts signing keys in the database. Every process on one database needs the same one.',
    }),
    /** Keys from before, which open what they have sealed; null without one. */
    formerSecretKeys: setting({
      name: 'SECRET_KEY_FORMER',
      kind: formerSecretKeys,
      meaning:
        'The value that SECRET_KEY had before, or several with commas between. It opens what it has sealed until ' +
        'knowledge secret rotate has sealed that anew.',
    }),
  },
})

type Values = ValuesOf<typeof DATA.settings>
export type DataConfig = With<Values, 'dataDir' | 'formerSecretKeys'>

/** Completes the settings of stored data. Without a data folder it is `data` in the project. */
export function dataConfig(values: Values): DataConfig {
  return { ...values, dataDir: values.dataDir ?? PROJECT_DATA, formerSecretKeys: values.formerSecretKeys ?? [] }
}
