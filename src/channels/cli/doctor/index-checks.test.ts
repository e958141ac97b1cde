import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readConfig } from '../../../config.ts'
import type { Database } from '../../../platform/database/database.ts'
import { SnapshotWriter } from '../../../search/memory/columns/checked-stream.ts'
import { saveIndex, type SnapshotIdentity } from '../../../search/memory/index/snapshots/index-snapshot.ts'
import { snapshotFolder, SnapshotFiles } from '../../../search/memory/index/snapshots/snapshot-files.ts'
import { checkIndexes } from './index-checks.ts'

/** Writes the snapshot of an empty index that names this size. */
async function save(
  dataDir: string,
  tenantId: string,
  index: string,
  mb: number,
  leftOut: SnapshotIdentity['leftOut'] = { count: 0, newest: [] },
): Promise<void> {
  const size = { bytes: mb * 2 ** 20, heapBytes: 0, fileBytes: 0, leftOut }
  const identity = { tenantId, index, model: null, program: 'p', mark: '', ...size }
  const nothing = {
    reached: 1,
    dimensions: null,
    unreadable: [],
    groups: [],
    owners: [],
    leftOut: { ids: [], owners: [], textSeqs: [], bytes: [] },
    facets: {},
    properties: null,
    segments: [],
  }
  await new SnapshotFiles(snapshotFolder(dataDir), 2 ** 30).write(tenantId, index, (append) =>
    saveIndex(new SnapshotWriter(append, () => undefined), identity, nothing),
  )
}

function place(t: TestContext): { dataDir: string; check: (settings?: Record<string, string>) => Promise<string[]> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-doctor-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const check = async (settings: Record<string, string> = {}): Promise<string[]> => {
    const findings = await checkIndexes(null as unknown as Database, readConfig({ DATA_DIR: dataDir, ...settings }))
    return [findings].flat().map(({ verdict, text }) => `${verdict} ${text}`)
  }
  return { dataDir, check }
}

test('the doctor names tenants whose indexes are near their bound, all indexes of a tenant together', async (t) => {
  const { dataDir, check } = place(t)
  await save(dataDir, 'acme', 'entries', 500)
  await save(dataDir, 'acme', 'products', 430)
  await save(dataDir, 'small', 'entries', 3)
  assert.deepEqual(await check(), [
    'warn tenant acme: its indexes take 930 of the 1024 MB that they may. Beyond it the newest documents of the owners ' +
      'that take most are left out of search: raise SEARCH_MEMORY_PER_TENANT_MB, or let its administrators ' +
      'shorten or delete entries or products',
  ])
  const [roomy] = await check({ SEARCH_MEMORY_PER_TENANT_MB: '2048' })
  assert.match(roomy, /^ok kept in .*, of 2 tenants; most take those of acme, 930 of the 2048 MB that a tenant's may$/)
})

test('the doctor names documents that search leaves out, and whose they are', async (t) => {
  const { dataDir, check } = place(t)
  const newest = [
    { id: 'e2', owner: 'ann' },
    { id: 'e1', owner: null },
  ]
  await save(dataDir, 'acme', 'entries', 1_020, { count: 30, newest })
  await save(dataDir, 'small', 'entries', 3)
  assert.deepEqual(await check(), [
    'warn tenant acme: search leaves out 30 documents, since its indexes would take more than the 1024 MB that they may: ' +
      'shorten or delete what takes most, or raise SEARCH_MEMORY_PER_TENANT_MB. When its snapshot was written, these were ' +
      'entries e2 of user ann, entries e1 and 28 more',
  ])
})

test('the doctor says whether search indexes are kept on disk', async (t) => {
  const { dataDir, check } = place(t)
  assert.match((await check())[0], /^ok kept in .*search-snapshots, with at most 4096 MB; there is none yet$/)
  assert.match(
    (await check({ SEARCH_SNAPSHOT_MB: '0' }))[0],
    /^ok not kept on disk, by SEARCH_SNAPSHOT_MB=0: a restart/,
  )
  assert.deepEqual(readdirSync(dataDir), [])
})

test('the doctor leaves snapshots as they are, and does not mind one that is damaged', async (t) => {
  const { dataDir, check } = place(t)
  const folder = snapshotFolder(dataDir)
  mkdirSync(folder)
  const damaged = join(folder, 'x.snapshot')
  writeFileSync(damaged, 'half a snapsh')
  await save(dataDir, 'acme', 'entries', 5)
  const before = new Date('2026-01-02T03:04:05.678Z')
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before)
  assert.match((await check())[0], /^ok kept in .*, of 1 tenant; most take those of acme, 5 of the/)
  const files = readdirSync(folder)
  assert.equal(files.length, 2)
  for (const name of files) assert.equal(statSync(join(folder, name)).mtimeMs, before.getTime())
})
