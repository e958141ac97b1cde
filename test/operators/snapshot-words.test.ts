import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { finishErasures } from '../../src/composition/erase-user.ts'
import { createSources } from '../../src/composition/search-sources.ts'
import { ENTRY_INDEX } from '../../src/knowledge/entries/indexing/index-source.ts'
import { IndexHost } from '../../src/search/memory/host/index-host.ts'
import { SnapshotFiles, snapshotFolder } from '../../src/search/memory/index/snapshots/snapshot-files.ts'
import { type SnapshotPolicy, Snapshots } from '../../src/search/memory/index/snapshots/snapshots.ts'
import { knowledge } from '../cli/program.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { bytesIn } from '../support/bytes-in.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
/**
 * Number of other entries: more than an index needs to have a snapshot, and more than a segment needs to be compacted.
 */
const FILLERS = 300
/** Number of deletions: more than the share of deleted entries from which on a segment is compacted. */
const MANY = 120
/** Words that no language has. Hits are sorted by a title as a whole, and found by its words. */
const [TITLE, WORD, NOTE] = ['vrongelpad plombertux', 'xylobrank', 'quastrivok']
const HOUR_MS = 3_600_000

const textOf = (folder: string): string => bytesIn(folder).toLowerCase()

/** Stores entries. @returns their ids */
async function fill(service: TestService, category_id: string): Promise<string[]> {
  const lines = Array.from({ length: FILLERS }, (_, i) =>
    JSON.stringify({ title: `Lamp ${i}`, content: `A lamp of number ${i}`, category_id }),
  )
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status, body } = await service.call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n'), headers })
  assert.equal(status, 200)
  const answers = String(body).trimEnd().split('\n')
  return answers.map((line) => (JSON.parse(line) as { id: string }).id)
}

onAnyDatabase('the next snapshot after entries were deleted', (kind) => {
  let service: TestService
  let sources: Awaited<ReturnType<typeof createSources>>
  let folder: string
  let host: IndexHost
  let filled: string[]
  let named: string

  before(async () => {
    service = await TestService.start(kind, { SEARCH_SNAPSHOT_MB: '0' })
    const category_id = await service.category()
    const entry = { title: TITLE, content: WORD, category_id }
    named = (await service.call('POST', ENTRIES, { body: entry })).body.id
    filled = await fill(service, category_id)
    // An entry that gets its vectors later is written anew, so that its first copy is a deleted document of the
    // segment.
    await until(
      async () => (await service.call('GET', '/api/knowledge/embedding-status')).body.pending === 0,
      'all entries have vectors',
    )
    // The service's own index is written a minute after a change at the earliest.
    folder = snapshotFolder(service.place.options.dataDir)
    sources = await createSources(service.place.options)
    const policy: SnapshotPolicy = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }
    const files = new SnapshotFiles(folder, 2 ** 30)
    const onFailure = (error: Error): void => assert.fail(error)
    const snapshots = new Snapshots({ files, policy, onFailure })
    host = new IndexHost(sources.sources, { bytesMax: 2 ** 30, tenantBytesMax: 2 ** 30 }, { snapshots })
  })
  after(async () => {
    await sources.close()
    await service.stop()
  })

  /** Returns the content of the snapshot that is written after all changes so far. */
  const written = async (): Promise<string> => {
    const { watermark } = await service.database.queries
      .selectFrom('tenants')
      .select('watermark')
      .where('tenant_id', '=', 'default')
      .executeTakeFirstOrThrow()
    const version = { tenantId: 'default', index: ENTRY_INDEX.name, model: null, watermark }
    const failure = await new Promise((settle) => host.submit({ version, request: null, settle }))
    assert.equal(failure, null)
    await host.settled()
    await host.saveDue()
    return textOf(folder)
  }
  const remove = async (id: string): Promise<void> => {
    assert.equal((await service.call('DELETE', `${ENTRIES}/${id}`)).status, 204)
  }

  test('has none of their titles, and none of their words once three tenths of a segment are deleted', async () => {
    const before = await written()
    assert.ok(before.includes(TITLE) && before.includes(WORD), 'the snapshot had both')
    await remove(named)
    const next = await written()
    assert.ok(!next.includes(TITLE), 'the title as a whole is gone')
    assert.ok(next.includes(WORD), 'the word is there until its part of the index is compacted')
    for (const id of filled.slice(0, MANY)) await remove(id)
    const last = await written()
    assert.ok(last.includes('lamp'), 'what is left is in it')
    for (const word of [WORD, ...TITLE.split(' ')]) assert.ok(!last.includes(word), word)
  })
})

onAnyDatabase('the snapshot of a tenant that erases a person while no service runs', (kind) => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await TestService.start(kind)
    folder = snapshotFolder(service.place.options.dataDir)
  })
  after(() => service.stop())

  const search = (): Promise<unknown> =>
    service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp', mode: 'keyword' } })
  const names = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.snapshot')) : []

  test('is deleted by the next start, also when another process has completed the erasure', async () => {
    const email = 'erna@example.com'
    const { key } = await service.user({ email, role: 'editor' })
    const category_id = await service.category()
    const note = { title: 'Note', content: NOTE, category_id }
    assert.equal((await service.call('POST', `${ENTRIES}/personal`, { key, body: note })).status, 201)
    await fill(service, category_id)
    await search()
    await until(() => names().length > 0, 'there is a snapshot')
    assert.ok(textOf(folder).includes(NOTE), 'it has the note')
    await service.restart(async () => {
      const { code, stderr } = await knowledge(service.place, ['user', 'erase', email, '--yes'])
      assert.equal(code, 0, stderr)
      // As a service with another data directory does once the last requests of that person have ended.
      await finishErasures(service.database, Date.now() + HOUR_MS)
    })
    await until(() => names().length === 0, 'it is gone, though nothing tells of the erasure any more')
    await search()
    await until(() => names().length > 0, 'there is another snapshot')
    assert.ok(!textOf(folder).includes(NOTE), 'the index was built anew')
  })
})
