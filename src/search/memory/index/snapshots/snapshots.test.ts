import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { IndexBuilding, type IndexChange, type IndexSource } from '../../../engine.ts'
import { DEFINITION } from '../../../../../test/support/search/documents.ts'
import { plainAnalyser } from '../../../../../test/support/search/naive.ts'
import { document } from '../../../../../test/support/search/source.ts'
import { gate } from '../../../../../test/support/search/value-history.ts'
import { valuesOf } from '../../../../../test/support/search/values.ts'
import { IndexHost } from '../../host/index-host.ts'
import type { IndexEvent } from '../index-event.ts'
import { SnapshotFiles } from './snapshot-files.ts'
import { isSnapshotDue, type SnapshotPolicy, Snapshots } from './snapshots.ts'
import { answerOf, plainSearch } from '../../../../../test/support/search/plain-search.ts'
import { until } from '../../../../../test/support/patience.ts'

/** A policy by which every change makes a snapshot due at once. */
const EAGER: SnapshotPolicy = { documentsMin: 1, quietMs: 0, seldomMs: 0, oftenMs: 0, changedShare: 0 }
const LIMITS = { bytesMax: 2 ** 30, tenantBytesMax: 2 ** 30 }

interface HostOptions {
  readonly bytesMax?: number
  /** Form of snapshots that the host writes and reads. */
  readonly form?: string
  readonly arenaBytesMax?: number
  /** Bytes that all indexes may take in memory. */
  readonly indexBytesMax?: number
  readonly freshWaitMs?: number
  readonly buildWaitMs?: number
}

/** A database with several tenants, which can be set back. */
class Past implements IndexSource {
  readonly definition = DEFINITION
  readonly changesOf = new Map<string, IndexChange[]>()
  readonly reads: { readonly part: 'documents' | 'values'; readonly tenantId: string; readonly after: number }[] = []
  /** Called before texts are read apart from values. */
  beforeTexts = (): Promise<void> => Promise.resolve()
  /** By tenant, the mark after each change; a change that is made a second time has another mark. */
  readonly marks = new Map<string, string[]>()
  readonly history = {
    mark: async (tenantId: string) => this.marks.get(tenantId)?.at(-1) ?? '',
    contains: async (tenantId: string, mark: string) => this.marks.get(tenantId)?.includes(mark) ?? false,
    follows: () => assert.fail('a snapshot keeps words of what is gone'),
  }

  put(tenantId: string, id: string, title = 'lamp'): void {
    const changes = this.changesOf.get(tenantId) ?? []
    const seq = this.watermarkOf(tenantId) + 1
    const others = changes.filter((change) => !('put' in change && change.put.id === id))
    this.changesOf.set(tenantId, [...others, { seq, put: document(id, title, Float32Array.of(1, seq)) }])
    this.marks.set(tenantId, [...(this.marks.get(tenantId) ?? []), `${seq} ${Math.random()}`])
  }

  /** Undoes the last changes, as if a backup from before them replaced the database. */
  setBack(tenantId: string, changes: number): void {
    this.changesOf.set(tenantId, this.changesOf.get(tenantId)!.slice(0, -changes))
    this.marks.set(tenantId, this.marks.get(tenantId)!.slice(0, -changes))
  }

  watermarkOf(tenantId: string): number {
    return this.changesOf.get(tenantId)?.at(-1)?.seq ?? 0
  }

  async *changes({ tenantId }: { tenantId: string }, from: number): AsyncGenerator<readonly IndexChange[]> {
    this.reads.push({ part: 'documents', tenantId, after: from })
    yield this.#after(tenantId, from)
  }

  readonly #wholeValues = valuesOf(({ tenantId }, from) => [this.#after(tenantId, from)])

  readonly values: IndexSource['values'] = {
    ...this.#wholeValues,
    changes: (version, from) => {
      this.reads.push({ part: 'values', tenantId: version.tenantId, after: from })
      return this.#wholeValues.changes(version, from)
    },
    documents: async (version, ids, last) => {
      await this.beforeTexts()
      return this.#wholeValues.documents(version, ids, last)
    },
  }

  #after(tenantId: string, from: number): IndexChange[] {
    return this.changesOf.get(tenantId)!.filter(({ seq }) => seq > from)
  }
}

describe('snapshots of search indexes', () => {
  const folders: string[] = []
  const folderOf = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshots-'))
    folders.push(folder)
    return folder
  }
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  /** Makes a host, as a start of the search thread does. */
  function hostOn(source: Past, folder: string, options: HostOptions = {}) {
    const events: IndexEvent[] = []
    const failures: string[] = []
    const files = new SnapshotFiles(folder, options.bytesMax ?? 2 ** 30)
    const onEvent = (event: IndexEvent): void => void events.push(event)
    const formOf = (): string => options.form ?? 'one'
    const onFailure = ({ message }: Error): void => void failures.push(message)
    const snapshots = new Snapshots({ files, formOf, policy: EAGER, onEvent, onFailure })
    const { arenaBytesMax, indexBytesMax = LIMITS.bytesMax, freshWaitMs, buildWaitMs } = options
    const host = new IndexHost(
      [source],
      { ...LIMITS, bytesMax: indexBytesMax },
      { analyser: plainAnalyser, snapshots, onEvent, arenaBytesMax, freshWaitMs, buildWaitMs },
    )
    const search = async (tenantId: string): Promise<string[]> => {
      const version = { tenantId, index: 'things', model: null, watermark: source.watermarkOf(tenantId) }
      const answer = await answerOf(host, { ...plainSearch(version, 'lamp'), limit: 100, vectorWeight: 0 })
      return answer.hits.map((hit) => hit.id).sort()
    }
    const builtFrom = (): string[] => events.flatMap((event) => (event.kind === 'built' ? [event.from] : []))
    const warm = () => {
      const present = (tenantId: string) => ({ tenantId, model: null, watermark: source.watermarkOf(tenantId) })
      return host.warm({ isOurs: () => true, statesOf: async (tenantIds) => tenantIds.map(present) })
    }
    return { host, search, builtFrom, events, failures, warm }
  }

  async function save(source: Past, folder: string, tenantId: string, bytesMax?: number): Promise<void> {
    const { host, search } = hostOn(source, folder, { bytesMax })
    await search(tenantId)
    await host.settled()
    await host.saveDue()
  }

  function sourceWith(tenantId: string, ...ids: string[]): Past {
    const source = new Past()
    for (const id of ids) source.put(tenantId, id)
    return source
  }

  for (const [lacks, before, later] of [
    ['many', 5, 20],
    ['few', 20, 2],
  ] as const) {
    test(`an index of a snapshot that lacks ${lacks} documents after a restart`, async () => {
      const [source, folder] = [new Past(), folderOf()]
      for (let n = 0; n < before; n++) source.put('t', `before${n}`)
      await save(source, folder, 't')
      for (let n = 0; n < later; n++) source.put('t', `later${n}`)
      const { pass, open } = gate()
      source.beforeTexts = pass
      const { host, search, warm } = hostOn(source, folder, { freshWaitMs: 0, buildWaitMs: 10 })
      await warm().read
      const version = { tenantId: 't', index: 'things', model: null, watermark: source.watermarkOf('t') }
      const partial = { watermark: null, waitMs: null, isPartial: true }
      const { hits, behind } = await answerOf(host, { ...plainSearch(version, 'lamp'), limit: 100, texts: partial })
      assert.deepEqual([hits.length, behind], [before, later])
      if (lacks === 'few') assert.equal((await search('t')).length, before, 'is searched without them')
      else await assert.rejects(search('t'), IndexBuilding, 'counts as being built')
      const { building, documentsBehind } = host.status('t')
      assert.deepEqual([building, documentsBehind], [lacks === 'few' ? 0 : 1, later])
      open()
      await until(() => host.status('t').behind === 0, 'all texts are read')
      assert.equal((await search('t')).length, before + later)
    })
  }

  test('a search of an index from an old snapshot is answered when enough documents are there, though the rest hangs', async () => {
    const [source, folder] = [new Past(), folderOf()]
    for (let n = 0; n < 900; n++) source.put('t', `before${n}`)
    await save(source, folder, 't')
    for (let n = 0; n < 200; n++) source.put('t', `later${n}`)
    const { pass, open } = gate()
    const { host, warm } = hostOn(source, folder, { freshWaitMs: 0, buildWaitMs: 600_000 })
    await warm().read
    // Hangs once less than a tenth is missing.
    source.beforeTexts = () => (host.status('t').documents < 990 ? Promise.resolve() : pass())
    const version = { tenantId: 't', index: 'things', model: null, watermark: source.watermarkOf('t') }
    const { total, behind } = await answerOf(host, plainSearch(version, 'lamp'))
    assert.ok(total >= 990 && total < 1_100)
    assert.equal(behind, 1_100 - total)
    open()
    await until(() => host.status('t').behind === 0, 'all texts are read')
  })

  test('an index comes from its snapshot also where the memory for vectors is at its end: an idle one makes room', async () => {
    const [source, folder] = [new Past(), folderOf()]
    const tenants = 'abcdefgh'.split('')
    for (const tenantId of tenants) {
      for (let i = 0; i < 300; i++) source.put(tenantId, `${tenantId}${i}`)
      await save(source, folder, tenantId)
    }
    const { search, builtFrom, events } = hostOn(source, folder, { arenaBytesMax: 2 ** 16 })
    for (const tenantId of tenants) assert.equal((await search(tenantId)).length, 100)
    assert.deepEqual(
      builtFrom(),
      tenants.map(() => 'snapshot'),
    )
    assert.ok(events.some(({ kind }) => kind === 'evicted'))
  })

  test('after a restart an index comes from its snapshot, and only what changed since is read', async () => {
    const [source, folder] = [sourceWith('t', 'a', 'b'), folderOf()]
    await save(source, folder, 't')
    source.put('t', 'c')
    source.put('t', 'a', 'chair')
    source.reads.length = 0
    const again = hostOn(source, folder)
    assert.deepEqual(await again.search('t'), ['b', 'c'])
    assert.deepEqual(source.reads, [{ part: 'values', tenantId: 't', after: 2 }])
    assert.deepEqual(again.builtFrom(), ['snapshot'])
  })

  test('a snapshot of a database that was set back since, and wrote other changes with the same numbers, is thrown away', async () => {
    const [source, folder] = [sourceWith('t', 'a', 'b'), folderOf()]
    await save(source, folder, 't')
    source.setBack('t', 1)
    source.put('t', 'c')
    const again = hostOn(source, folder)
    assert.deepEqual(await again.search('t'), ['a', 'c'])
    assert.deepEqual(again.builtFrom(), ['database'])
    assert.deepEqual(readdirSync(folder), [])
  })

  test('a snapshot of another form is not read, and that of the index that is built replaces it', async () => {
    const [source, folder] = [sourceWith('t', 'a'), folderOf()]
    await save(source, folder, 't')
    const again = hostOn(source, folder, { form: 'another' })
    assert.deepEqual(await again.search('t'), ['a'])
    assert.deepEqual(again.builtFrom(), ['database'])
    await again.host.saveDue()
    const next = hostOn(source, folder, { form: 'another' })
    assert.deepEqual(await next.search('t'), ['a'])
    assert.deepEqual(next.builtFrom(), ['snapshot'])
  })

  test('indexes whose snapshots have another form are built at the start, before any search', async () => {
    const [source, folder] = [new Past(), folderOf()]
    for (const tenantId of ['t', 'u']) {
      source.put(tenantId, 'a')
      await save(source, folder, tenantId)
    }
    source.put('t', 'b')
    const { host, builtFrom, warm } = hostOn(source, folder, { form: 'another' })
    const warming = warm()
    await warming.built
    assert.deepEqual([warming.toBuild, builtFrom()], [2, ['database', 'database']])
    assert.deepEqual([host.status('t').documents, host.status('u').documents], [2, 1])
    const next = hostOn(source, folder, { form: 'a third' })
    await next.warm().built
    assert.deepEqual(next.builtFrom(), ['database', 'database'], 'also when the one before ended too early to save any')
  })

  test('a snapshot of another form without room for its index, or of a tenant that is gone, is deleted at the start', async () => {
    const [source, folder] = [new Past(), folderOf()]
    for (const tenantId of ['t', 'gone']) {
      source.put(tenantId, 'a')
      await save(source, folder, tenantId)
    }
    source.marks.delete('gone')
    const { builtFrom, warm } = hostOn(source, folder, { form: 'another', indexBytesMax: 1 })
    await warm().built
    assert.deepEqual([builtFrom(), readdirSync(folder)], [[], []])
  })

  test('a damaged snapshot is thrown away, the search is answered from the database, and the operator learns of it', async () => {
    const [source, folder] = [sourceWith('t', 'a', 'b'), folderOf()]
    await save(source, folder, 't')
    const [name] = readdirSync(folder)
    const whole = readFileSync(join(folder, name))
    const damaged = Buffer.from(whole)
    damaged[whole.length - 100] ^= 4
    for (const bytes of [damaged, whole.subarray(0, -1), Buffer.alloc(0), Buffer.concat([whole, Buffer.of(0)])]) {
      writeFileSync(join(folder, name), bytes)
      const again = hostOn(source, folder)
      assert.deepEqual(await again.search('t'), ['a', 'b'])
      assert.deepEqual(again.builtFrom(), ['database'])
      assert.equal(again.failures.length, 1)
      assert.deepEqual(readdirSync(folder), [])
    }
  })

  test('the file of one tenant in the place of another is thrown away', async () => {
    const folder = folderOf()
    const source = sourceWith('t', 'a')
    source.put('other', 'b')
    await save(source, folder, 't')
    const [name] = readdirSync(folder)
    const bytes = readFileSync(join(folder, name))
    await save(source, folder, 'other')
    const otherName = readdirSync(folder).find((each) => each !== name)!
    writeFileSync(join(folder, otherName), bytes)
    assert.deepEqual(await hostOn(source, folder).search('other'), ['b'])
  })

  test('only the service may read the files', async () => {
    const [source, folder] = [sourceWith('t', 'a'), join(folderOf(), 'made')]
    await save(source, folder, 't')
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  })

  test('changes during the writing are not in the snapshot, and are read after the restart', async () => {
    const [source, folder] = [sourceWith('t', 'a', 'b'), folderOf()]
    const { host, search } = hostOn(source, folder)
    await search('t')
    const saving = host.saveDue()
    source.put('t', 'c')
    source.put('t', 'a', 'chair')
    assert.deepEqual(await search('t'), ['b', 'c'])
    await saving
    const again = hostOn(source, folder)
    assert.deepEqual(await again.search('t'), ['b', 'c'])
    assert.deepEqual(again.builtFrom(), ['snapshot'])
  })

  test('a dropped tenant has no snapshot left, not even one that was being written', async () => {
    const folder = folderOf()
    const source = sourceWith('t', 'a')
    source.put('t2', 'b')
    const { host, search } = hostOn(source, folder)
    await search('t2')
    await search('t')
    await host.saveDue()
    source.put('t', 'c')
    await search('t')
    const saving = host.saveDue()
    await host.drop('t')
    await saving
    assert.equal(readdirSync(folder).length, 1)
    const again = hostOn(source, folder)
    assert.deepEqual([await again.search('t'), await again.search('t2')], [['a', 'c'], ['b']])
    assert.deepEqual(again.builtFrom(), ['database', 'snapshot'])
  })

  test('a dropped tenant waits for one snapshot at most, not for those of all others', async () => {
    const [source, folder] = [new Past(), folderOf()]
    const tenants = Array.from({ length: 30 }, (_, i) => `t${i}`)
    for (const tenantId of tenants) source.put(tenantId, 'a')
    const { host, search } = hostOn(source, folder)
    for (const tenantId of tenants) await search(tenantId)
    await host.settled()
    const saving = host.saveDue()
    await host.drop('t29')
    assert.ok(readdirSync(folder).length < 25, `${readdirSync(folder).length} snapshots were written first`)
    await saving
    assert.equal(readdirSync(folder).length, 29)
  })

  test('when snapshots take too much, those not used for longest are deleted', async () => {
    const folder = folderOf()
    const source = new Past()
    for (const tenantId of ['first', 'second', 'third']) source.put(tenantId, 'a')
    await save(source, folder, 'first')
    const [name] = readdirSync(folder)
    const { size } = statSync(join(folder, name))
    await save(source, folder, 'second', 2.5 * size)
    utimesSync(join(folder, name), new Date(), new Date(Date.now() + 60_000))
    await save(source, folder, 'third', 2.5 * size)
    const again = hostOn(source, folder)
    for (const tenantId of ['first', 'second', 'third']) await again.search(tenantId)
    assert.deepEqual(again.builtFrom(), ['snapshot', 'database', 'snapshot'])
  })

  test('an index that is larger than all snapshots may be is not written', async () => {
    const [source, folder] = [sourceWith('t', 'a'), folderOf()]
    await save(source, folder, 't', 1_000)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('indexes used last are read at the start, before any search, and those of removed tenants are deleted', async () => {
    const folder = folderOf()
    const source = new Past()
    for (const tenantId of ['t', 'gone']) {
      source.put(tenantId, 'a')
      await save(source, folder, tenantId)
    }
    source.marks.delete('gone')
    const { host, builtFrom, warm } = hostOn(source, folder)
    await warm().read
    assert.deepEqual(builtFrom(), ['snapshot'])
    assert.equal(host.status('t').documents, 1)
    assert.equal(readdirSync(folder).length, 1)
  })

  test('snapshots of no use are deleted at the start also where there is no room for their indexes', async () => {
    const folder = folderOf()
    const source = new Past()
    for (const tenantId of ['gone', 'kept']) {
      source.put(tenantId, 'a')
      await save(source, folder, tenantId)
    }
    source.marks.delete('gone')
    const { host, warm } = hostOn(source, folder, { indexBytesMax: 1 })
    await warm().read
    await until(() => readdirSync(folder).length === 1, 'the other snapshot is deleted')
    assert.equal(host.status().documents, 0)
  })

  test('a process that is killed while it writes leaves the former snapshot', async () => {
    const [source, folder] = [sourceWith('t', 'a', 'b'), folderOf()]
    await save(source, folder, 't')
    const [name] = readdirSync(folder)
    const before = readFileSync(join(folder, name))
    const child = fork(join(import.meta.dirname, '../../../../../test/support/search/endless-snapshot.ts'), [folder])
    await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const names = readdirSync(folder)
    assert.equal(names.length, 2, 'the killed process had begun to write')
    assert.deepEqual(readFileSync(join(folder, name)), before)
    const draft = names.find((each) => each !== name)!
    utimesSync(join(folder, draft), 0, 0)
    const again = hostOn(source, folder)
    await again.warm().read
    assert.deepEqual(again.builtFrom(), ['snapshot'])
    assert.deepEqual(readdirSync(folder), [name])
  })

  test('a folder that cannot be written hinders no search, and the operator learns why', async () => {
    const [source, folder] = [sourceWith('t', 'a'), join(folderOf(), 'file')]
    writeFileSync(folder, '')
    const { host, search, failures } = hostOn(source, folder)
    assert.deepEqual(await search('t'), ['a'])
    await host.saveDue()
    assert.ok(failures.length > 0)
    assert.deepEqual(await search('t'), ['a'])
  })
})

test('a snapshot is due when nothing has changed for a while, and seldom while something always changes', () => {
  const policy: SnapshotPolicy = {
    documentsMin: 100,
    quietMs: 3_000,
    seldomMs: 600_000,
    oftenMs: 60_000,
    changedShare: 0.01,
  }
  const base = { documents: 1_000, changes: 1_000, changedAt: 10_000, isSaved: false, savedAt: 0 }
  const isDue = (more: Partial<typeof base>, now: number): boolean => isSnapshotDue({ ...base, ...more }, now, policy)
  assert.equal(isDue({}, 12_000), false)
  assert.equal(isDue({}, 13_000), true)
  assert.equal(isDue({ documents: 99 }, 13_000), false)
  assert.equal(isDue({ changedAt: 599_999 }, 599_999), false)
  assert.equal(isDue({ changedAt: 600_000 }, 600_000), true)
  const unsaved = { isSaved: true, savedAt: 0, changes: 10 }
  assert.equal(isDue(unsaved, 59_000), false)
  assert.equal(isDue(unsaved, 60_000), true)
  assert.equal(isDue({ ...unsaved, changes: 9 }, 60_000), false)
  assert.equal(isDue({ ...unsaved, changes: 9 }, 600_000), true)
  assert.equal(isDue({ ...unsaved, changes: 0 }, 900_000), false)
})
