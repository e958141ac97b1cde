import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { assertWhole } from '../limits/wholeness.ts'
import { DATABASES, type DatabaseKind } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'
import { assembleService } from './assembled-service.ts'
import { smallDisk } from './small-disk.ts'

const BASE = '/api/knowledge/knowledge-entries'
const DISK_MB = 48
const NO_DISK = 'a small file system can only be mounted by root on Linux'
const FULL = [{ loc: [], msg: 'Storage is full, nothing was changed', type: 'storage_full' }]
/** Number of writes that exceeds the reserve of any database. */
const WRITES_MAX = 500

/** The parts of a service that a test of a full disk needs. */
interface Subject {
  readonly call: TestService['call']
  readonly database: TestService['database']
  fill(): Promise<void> | void
  clear(): Promise<void> | void
  /** Lines of its log so far, where the test has them. */
  readonly logged?: readonly string[]
}

/** Fills the disk by writing, reads, makes room, and writes again. */
async function survives({ call, database, fill, clear, logged }: Subject): Promise<void> {
  const category_id = (await call('POST', '/api/knowledge/categories', { body: { name: 'General' } })).body.id
  const acknowledged: string[] = []
  const write = async (): Promise<Answer> => {
    const title = `Entry ${acknowledged.length}`
    const content = `Quokka ${randomUUID()} `.repeat(200)
    const answer = await call('POST', BASE, { body: { title, content, category_id } })
    if (answer.status === 201) acknowledged.push(answer.body.id)
    return answer
  }
  const readsAll = async () => {
    for (const id of acknowledged) assert.equal((await call('GET', `${BASE}/${id}`)).status, 200)
    assert.equal((await call('GET', BASE)).body.length, acknowledged.length)
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const hits = await call('POST', `${BASE}/search`, { body: { query: 'Quokka', mode, limit: 100 } })
      assert.equal(hits.body.length, Math.min(100, acknowledged.length), `${mode} ${JSON.stringify(hits.body)}`)
    }
  }

  assert.equal((await write()).status, 201)
  await fill()
  let refused: Answer
  do refused = await write()
  while (refused.status === 201 && acknowledged.length < WRITES_MAX)
  assert.deepEqual([refused.status, refused.body.detail], [507, FULL])
  const line = JSON.stringify({ title: 'Line', content: 'Quokka '.repeat(1_500), category_id })
  const bulk = await call('POST', `${BASE}/bulk`, {
    body: `${line}\n`.repeat(150),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const results = String(bulk.body)
    .trim()
    .split('\n')
    .map((result) => JSON.parse(result))
  assert.deepEqual([bulk.status, results.length], [200, 150])
  for (const { status, detail } of results) assert.deepEqual([status, detail], ['failed', FULL])
  // The lines were answered with 200, so nothing else tells the operator.
  const warned = logged?.filter((line) => line.includes('a batch of lines could not be stored')) ?? null
  if (warned !== null) {
    assert.ok(warned.length > 0 && warned.length < results.length, `${warned.length} warnings`)
    assert.match(warned[0], /"level":"warn".*database or disk is full.*"tenantId":"default"/)
  }
  await readsAll()
  assert.equal((await call('GET', '/readyz')).status, 200)

  await clear()
  assert.equal((await write()).status, 201)
  await readsAll()
  await assertWhole(database)
}

type Running = Pick<Subject, 'call' | 'database' | 'logged'> & { stop(): Promise<void> }

async function onService(service: Running, disk: Pick<Subject, 'fill' | 'clear'>): Promise<void> {
  try {
    const { database, logged } = service
    await survives({ call: service.call.bind(service), database, logged, ...disk })
  } finally {
    await service.stop()
  }
}

/** Returns a kind of database whose databases lie on the disk. */
function kindOn(dir: string, kind: DatabaseKind): DatabaseKind {
  if (kind.name === 'SQLite') {
    const options = { dataDir: join(dir, 'data'), databaseUrl: null }
    return alwaysEmpty(kind, async () => ({ options, remove: async () => undefined }))
  }
  return alwaysEmpty(kind, async () => {
    const place = await kind.create()
    const url = new URL(place.options.databaseUrl!)
    const name = url.pathname.slice(1)
    const server = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
    await server.connect()
    const { rows } = await server.query<{ dir: string }>("select current_setting('data_directory') as dir")
    const location = join(dir, 'tablespace')
    const { uid, gid } = statSync(rows[0].dir)
    mkdirSync(location)
    chownSync(dir, uid, gid)
    chownSync(location, uid, gid)
    await server.query(`create tablespace ${name} location '${location}'`)
    await server.query(`alter database ${name} set tablespace ${name}`)
    await server.end()
    return {
      ...place,
      async remove() {
        await place.remove()
        const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
        await admin.connect()
        await admin.query(`drop tablespace ${name}`)
        await admin.end()
      },
    }
  })
}

const alwaysEmpty = ({ name }: DatabaseKind, create: DatabaseKind['create']): DatabaseKind => ({
  name,
  create,
  createMigrated: create,
})

describe('a full disk', () => {
  for (const kind of DATABASES) {
    test(`under ${kind.name} makes writes fail and reads succeed until there is room`, async (t) => {
      const disk = smallDisk(DISK_MB)
      if (disk === null) return t.skip(NO_DISK)
      try {
        await onService(await TestService.start(kindOn(disk.dir, kind)), disk)
      } finally {
        disk.remove()
      }
    })

    test(`as ${kind.name} itself reports it makes writes fail and reads succeed until there is room`, async () => {
      if (kind.name === 'SQLite') {
        const service = await assembleService(kind)
        const { queries } = service.database
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(queries)
        await onService(service, {
          fill: async () => void (await sql.raw(`pragma max_page_count = ${rows[0].page_count + 60}`).execute(queries)),
          clear: async () => void (await sql`pragma max_page_count = 4294967294`.execute(queries)),
        })
        return
      }
      const service = await TestService.start(kind)
      const { queries } = service.database
      await onService(service, {
        async fill() {
          await sql`create function refuse() returns trigger language plpgsql as
            $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(queries)
          // Vectors are stored after the entry, so the entry has to be rolled back.
          await sql`create trigger full_disk before insert on entry_vectors execute function refuse()`.execute(queries)
        },
        clear: async () => void (await sql`drop function refuse() cascade`.execute(queries)),
      })
    })
  }
})
