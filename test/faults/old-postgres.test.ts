import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { COMMANDS } from '../../src/channels/cli/commands.ts'
import { knowledge } from '../cli/program.ts'
import type { TestDatabase } from '../support/databases.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { POSTGRES_VERSIONS, TOO_OLD_POSTGRES as TOO_OLD } from '../support/postgres-versions.ts'

const { version } = POSTGRES_VERSIONS.get(TOO_OLD)!
const skip = skipWithout('oldPostgres')
const REFUSAL =
  `PostgreSQL ${version} is too old: version 15 or newer is needed. ` +
  'Upgrade the server, or let DATABASE_URL name a newer one.'

/** Call of each command that opens the database. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve'],
  migrate: ['migrate'],
  backup: ['backup', join(tmpdir(), 'knowledge-old.backup')],
  restore: ['restore', join(import.meta.dirname, 'old-postgres.test.ts')],
  copy: ['copy', '--to', 'postgres://localhost/other'],
  import: ['import', import.meta.dirname],
  'import-products': ['import-products', import.meta.filename],
  export: ['export'],
  key: ['key', 'issue', '--name', 'ci', '--role', 'reader'],
  tenant: ['tenant', 'create', 'acme'],
  user: ['user', 'create', 'ann@example.com'],
  learn: ['learn'],
  reindex: ['reindex'],
  doctor: ['doctor'],
  operator: ['operator', 'list'],
  audit: ['audit', 'list'],
}

describe('a PostgreSQL that is too old', { skip, concurrency: 2 }, () => {
  let server: PostgresServer
  let place: TestDatabase

  before(async () => {
    server = await startPostgres({ major: TOO_OLD })
    const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-old-'))
    place = {
      options: { dataDir, databaseUrl: server.url },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  })
  after(async () => {
    await place.remove()
    await server.stop()
  })

  for (const name of Object.keys(COMMANDS)) {
    test(`is refused by ${name} in one line, before anything is made in it`, async () => {
      const { code, stdout, stderr } = await knowledge(place, CALLS[name], { env: { PORT: '0' } })
      assert.equal(code, 1, stdout + stderr)
      if (name === 'doctor') {
        const last = stdout.trimEnd().split('\n').at(-1)
        assert.match(last, /^fail  database +/)
        assert.ok(last.endsWith(` ${REFUSAL}`), last)
      } else assert.equal(stdout + stderr, `${REFUSAL}\n`)
      assert.deepEqual(await tablesOf(server.url), [])
    })
  }
})

async function tablesOf(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace",
  )
  await client.end()
  return rows.map(({ name }) => name)
}
