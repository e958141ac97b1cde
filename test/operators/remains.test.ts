import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { eraseUser } from '../../src/composition/erase-user.ts'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { removeTenantNow } from '../../src/composition/tenants/removal.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { sweepLog } from '../../src/insights/search-log/sweep.ts'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { type Service, startService } from '../../src/server.ts'
import { type DatabaseKind, onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { send } from '../support/send.ts'
import { CHEAPEST } from '../support/passwords.ts'
import { testConfig } from '../support/service.ts'
import { bytesIn } from '../support/bytes-in.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const DAY_MS = 86_400_000
/** Number of entries beside the deleted one: an index of fewer documents has no snapshot. */
const FILLERS = 210

/** Words that no language has, so that no stem and no part of another word is taken for them. */
const WORDS = {
  deleted: 'xylobrank',
  formerTitle: 'grumfelto',
  note: 'quastrivok',
  person: 'zindelmurk',
  searched: 'plombertux',
  tenant: 'vrongelpad',
} as const

onEachDatabase('what a deleted thing leaves behind', (kind: DatabaseKind) => {
  let place: TestDatabase
  let service: Service
  let database: Database
  const log: string[] = []

  before(async () => {
    place = await kind.createMigrated()
    const logger = pino(logSettings('trace'), { write: (line: string) => log.push(line) })
    service = await startService(testConfig(place), logger, { passwordCost: CHEAPEST })
    database = openDatabase(place.options)
  })
  after(async () => {
    await service.stop()
    await database.close()
    await place.remove()
  })

  const call = async (method: string, path: string, key: string, body?: object | string) => {
    const { status, text } = await send(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return text === '' ? null : text
  }
  const create = async (method: string, path: string, key: string, body?: object) =>
    JSON.parse((await call(method, path, key, body)) ?? 'null') as { id: string }
  /** Fills a tenant until its index is worth a snapshot. */
  const fill = async (key: string, category: string, word: string): Promise<void> => {
    const lines = Array.from({ length: FILLERS }, (_, i) =>
      JSON.stringify({ title: `Lamp ${i}`, content: `A lamp ${i === 7 ? word : ''}`, category_id: category }),
    )
    await call('POST', `${ENTRIES}/bulk`, key, lines.join('\n'))
  }
  const search = (key: string, query: string) => call('POST', `${ENTRIES}/search`, key, { query, mode: 'keyword' })
  const snapshots = (): string => bytesIn(join(place.options.dataDir, 'search-snapshots'))
  /** Returns all rows of all tables, as text. */
  const rows = async (): Promise<string> => {
    const tables = await database.queries.introspection.getTables()
    const texts: string[] = []
    for (const { name } of tables) {
      const all = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database.queries)
      // Bytes as text, so that a word in them is found.
      texts.push(
        JSON.stringify(all.rows, (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      )
    }
    return texts.join('\n')
  }
  /** Returns the bytes of the database's own files, with SQLite's log; none where a server keeps them. */
  const files = (): string =>
    kind.name === 'SQLite'
      ? ['', '-wal', '-shm']
          .map((ending) => join(place.options.dataDir, `knowledge.db${ending}`))
          .filter((file) => existsSync(file))
          .map((file) => readFileSync(file, 'latin1'))
          .join('')
      : ''
  const wordsIn = (text: string): string[] => Object.values(WORDS).filter((word) => text.toLowerCase().includes(word))

  test('a deleted entry, an erased person and a removed tenant are in no row, file, snapshot or log', async () => {
    const { key } = service.created!
    const { id: category } = await create('POST', '/api/knowledge/categories', key, { name: 'Box' })
    const entry = await create('POST', ENTRIES, key, {
      title: WORDS.formerTitle,
      content: `${WORDS.deleted} ${'long text '.repeat(2_000)}`,
      category_id: category,
      tags: [WORDS.deleted],
    })
    await call('PATCH', `${ENTRIES}/${entry.id}`, key, { title: `Another ${WORDS.deleted}` })

    const person = await createUser(database, 'default', {
      email: `${WORDS.person}@example.com`,
      name: `Erna ${WORDS.person}`,
      role: 'editor',
    })
    const scopes = ROLE_SCOPES.editor
    const keyOf = (userId: string | null, tenant: string) =>
      issueApiKey(database, tenant, { name: 'k', scopes, userId, expiresAt: null })
    const { key: own } = await keyOf(person.id, 'default')
    await create('POST', `${ENTRIES}/personal`, own, { title: 'Note', content: WORDS.note, category_id: category })
    await fill(key, category, '')
    await search(own, WORDS.note)
    await search(own, WORDS.searched)

    await createTenant(database, { id: 'gone', name: `Company ${WORDS.tenant}`, host: null })
    const { key: theirs } = await keyOf(null, 'gone')
    const { id: box } = await create('POST', '/api/knowledge/categories', theirs, { name: WORDS.tenant })
    await fill(theirs, box, WORDS.tenant)
    await search(theirs, WORDS.tenant)

    await until(async () => (await rows()).includes(WORDS.searched), 'the search is logged')
    assert.deepEqual(wordsIn(await rows()), Object.values(WORDS), 'all of it was in the rows')
    if (kind.name === 'SQLite') assert.deepEqual(wordsIn(files()), Object.values(WORDS), 'and in the file')
    await until(
      () => snapshots().includes(WORDS.tenant) && snapshots().includes(WORDS.note),
      'both snapshots are there',
    )

    await call('DELETE', `${ENTRIES}/${entry.id}`, key)
    await eraseUser(database, 'default', person.id)
    const removed = await removeTenantNow(database, 'gone', OPERATOR, {})
    assert.ok(removed)
    await until(() => wordsIn(snapshots()).length === 0, 'no snapshot has any of it')
    const sweeper = startSweeper(database, (error) => assert.fail(error as Error))
    const later = Date.now() + 100 * DAY_MS
    await sweepLog(database, { now: later })
    await sweeper.sweep(later)
    await sweeper.close()

    assert.deepEqual(wordsIn(await rows()), [])
    assert.deepEqual(wordsIn(log.join('')), [], 'the log never had any of it')
    await database.emptyLog()
    assert.deepEqual(wordsIn(files()), [], 'no page of the file has any of it')
    // What is left is found again, by an index that was built anew.
    assert.ok(JSON.parse((await search(key, 'lamp'))!).length > 0)
    await search(key, 'lamp 7')
    await until(() => snapshots().length > 0, 'there is another snapshot')
    assert.deepEqual(wordsIn(snapshots()), [])
  })
})
