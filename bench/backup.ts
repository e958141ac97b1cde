/**
 * Measures how long `knowledge backup` of PostgreSQL takes beside `pg_dump` alone, in turns, on entries with versions
 * and vectors. A backup also counts the rows of the database, reads the whole dump and compares. `--entries N` (20000)
 * and `--rounds N` (3).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../src/platform/database/database.ts'
import { ServiceProcess } from '../test/durability/service-process.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { DUMPABLE_POSTGRES } from '../test/support/postgres-clients.ts'
import { MAIN } from '../test/support/program.ts'

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
})
const entries = Number(values.entries)
if (DUMPABLE_POSTGRES === null) throw new Error('there is no pg_dump that fits a server of the tests')
const { major, folder } = DUMPABLE_POSTGRES

const server = await startPostgres({ major })
const place = mkdtempSync(join(tmpdir(), 'knowledge-bench-backup-'))
try {
  const options = { dataDir: join(place, 'data'), databaseUrl: server.url }
  await fill(options)
  const times = { dump: [] as number[], backup: [] as number[] }
  let bytes = 0
  for (let round = 0; round < Number(values.rounds); round++) {
    const dump = join(place, `dump-${round}`)
    times.dump.push(
      timed(() => execFileSync(join(folder, 'pg_dump'), ['-Fc', `--file=${dump}`, `--dbname=${server.url}`])),
    )
    bytes = statSync(dump).size
    times.backup.push(timed(() => backUp(options, join(place, `backup-${round}`))))
  }
  const [dump, backup] = [times.dump, times.backup].map((all) => all.toSorted((a, b) => a - b)[all.length >> 1])
  console.log(`PostgreSQL ${major}, ${entries} entries, a dump of ${(bytes / 2 ** 20).toFixed(0)} MB, medians:`)
  console.log(`pg_dump           ${dump.toFixed(1)} s   ${times.dump.map((each) => each.toFixed(1)).join(' ')}`)
  console.log(`knowledge backup  ${backup.toFixed(1)} s   ${times.backup.map((each) => each.toFixed(1)).join(' ')}`)
  console.log(`ratio             ${(backup / dump).toFixed(2)}`)
} finally {
  await server.stop()
  rmSync(place, { recursive: true, force: true })
}

function timed(work: () => void): number {
  const startedMs = performance.now()
  work()
  return (performance.now() - startedMs) / 1_000
}

function backUp({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string }, target: string): void {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'backup', target], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BACKUP_POSTGRES_BIN: folder },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

/** Stores one entry through the service, and multiplies its rows with texts and vectors of their own. */
async function fill(options: { dataDir: string; databaseUrl: string }): Promise<void> {
  const service = await ServiceProcess.start({ options })
  const category = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
  const body = { title: 'One', content: 'One', category_id: category.body.id }
  const { status } = await service.call('POST', '/api/knowledge/knowledge-entries', { body })
  if (status !== 201) throw new Error(`the first entry was answered with ${status}`)
  await service.stop()
  const database = openDatabase(options)
  const { queries } = database
  const columnsOf = async (table: string): Promise<string[]> =>
    (await queries.introspection.getTables()).find(({ name }) => name === table)!.columns.map(({ name }) => name)
  const multiply = async (table: string, own: Readonly<Record<string, string>>): Promise<void> => {
    const columns = await columnsOf(table)
    const chosen = columns.map((column) => sql.raw(own[column] ?? `t.${column}`))
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(chosen)} from ${sql.table(table)} as t, generate_series(1, ${entries}) as n`.execute(queries)
  }
  const id = `lpad(n::text, 36, '0')`
  // About two kilobytes of words that compress like text, and vectors that do not.
  const text = `(select string_agg(substr(md5((n * 97 + w)::text), 1, 3 + w % 6), ' ') from generate_series(1, 300) as w)`
  const bytes = `(select string_agg(decode(md5((n * 31 + w)::text), 'hex'), '') from generate_series(1, 64) as w)`
  await multiply('entries', { id, content: text })
  await multiply('entry_versions', { entry_id: id, snapshot: text })
  await multiply('entry_vectors', { entry_id: id, vectors: bytes })
  await database.close()
}
