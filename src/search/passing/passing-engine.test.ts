import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { parseHostPort } from '../../platform/host-port.ts'
import {
  type EngineForRequests,
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type SearchAnswer,
  type SearchRequest,
  SearchTimedOut,
} from '../engine.ts'
import { type ProcessIdentity, writeFrame } from './frames.ts'
import { HolderServer } from './holder-server.ts'
import { holdersOf, type TenantShare } from '../tenant-share.ts'
import { type Line, unixLine } from './line.ts'
import { type PassingOutcome, PassingEngine } from './passing-engine.ts'
import { createSealedServer, sealedLine } from './sealed-line.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'
import { HANG_MS, until } from '../../../test/support/patience.ts'

const STATUS: EngineStatus = {
  indexes: 1,
  documents: 2,
  passages: 3,
  unreadable: 0,
  documentsBehind: 5,
  behind: 1,
  behindMs: 700,
  building: 1,
  builtPercent: 40,
  leftOut: 0,
  leftOutDocuments: [],
  refused: 0,
  bytes: 10,
  fileBytes: 0,
  pagedOut: 0,
  bytesMax: 20,
}
/** A tenant that process 1 holds, and one that process 2 holds, while both run. */
const [OWN, OTHER] = ['1', '2'].map((process) => tenantOf(process, ['1', '2']))
const HERE: ProcessIdentity = { form: 'same', instance: 'here' }
const THERE: ProcessIdentity = { form: 'same', instance: 'there' }

/** Records the requests, and answers each with the engine's own name as the only hit. */
class NamedEngine implements EngineForRequests {
  readonly name: string
  readonly requests: SearchRequest[] = []
  /** Share of the last call of `keepOnly`. */
  share: TenantShare | null = null
  /** Whether the engine has memory that it cannot give back yet. */
  isBusy = false
  failure: Error | null = null

  constructor(name: string) {
    this.name = name
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    this.requests.push(request)
    if (this.failure !== null) throw this.failure
    return {
      hits: [{ id: this.name, seq: request.version.watermark, similarity: 1 / 3, score: 0.1 + 0.2 }],
      total: 1,
      timing: { refresh: 0, search: 0.5 },
    }
  }

  requireRoom(): void {}
  async status(): Promise<EngineStatus> {
    return STATUS
  }
  async keepOnly(share: TenantShare): Promise<boolean> {
    this.share = share
    return !this.isBusy
  }
}

/** A place where another process may listen, and the way to it. */
interface Place {
  readonly line: Line
  listen(engine: EngineForRequests, identity?: ProcessIdentity, ready?: Promise<void>): Promise<HolderServer>
  /** Calls `onLink` with each connection of a process of the installation. */
  serve(onLink: (socket: Socket) => void): Server
}

function unixPlace(t: TestContext): Promise<Place> {
  const path = join(folderOf(t), '2')
  return Promise.resolve({
    line: unixLine(path),
    listen: (engine, identity = THERE) => HolderServer.listen(path, engine, identity),
    serve: (onLink) => createServer(onLink).listen(path),
  })
}

async function sealedPlace(): Promise<Place> {
  const key = Buffer.alloc(32, 7)
  const address = parseHostPort(`127.0.0.1:${await freePort()}`)!
  const onOtherKey = (): void => assert.fail('another key')
  return {
    line: sealedLine(address, key),
    listen: (engine, identity = THERE, ready = Promise.resolve()) =>
      HolderServer.listenSealed(address, { key, onOtherKey }, engine, identity, ready),
    serve: (onLink) => createSealedServer(key, onOtherKey).on('secureConnection', onLink).listen(address),
  }
}

for (const [way, placeOf] of [
  ['a machine', unixPlace],
  ['machines', sealedPlace],
] as const)
  passesOn(`Passing searches on between processes of ${way}`, placeOf)

function passesOn(suite: string, placeOf: (t: TestContext) => Promise<Place>): void {
  describe(suite, () => {
    const pair = (t: TestContext, holders?: number) => pairAt(t, placeOf(t), holders)

    test('a tenant is searched in the process that holds it, with the watermark and the exact vector', async (t) => {
      const { passing, here, there, outcomes } = await pair(t)
      const vector = Float32Array.from([0.1, -2, 3e-8])
      const answer = await passing.search(searchOf(OTHER, { vector, watermark: 41 }))
      assert.deepEqual(answer.hits, [{ id: 'there', seq: 41, similarity: 1 / 3, score: 0.1 + 0.2 }])
      assert.deepEqual(there.requests, [searchOf(OTHER, { vector, watermark: 41 })])
      assert.equal((await passing.search(searchOf(OWN))).hits[0].id, 'here')
      assert.equal(here.requests.length, 1)
      assert.deepEqual(outcomes, ['answered'])
    })

    test('with two holders of each tenant no search of two processes is passed on', async (t) => {
      const { passing, there } = await pair(t, 2)
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
      assert.equal(there.requests.length, 0)
    })

    test('many searches at once get their own answers', async (t) => {
      const { passing } = await pair(t)
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, watermark) => passing.search(searchOf(OTHER, { watermark }))),
      )
      assert.deepEqual(
        answers.map(({ hits }) => hits[0].seq),
        Array.from({ length: 200 }, (_, i) => i),
      )
    })

    test('a process that ends, or whose search thread is down, is stood in for', async (t) => {
      const { passing, there, server, outcomes } = await pair(t)
      there.failure = new EngineUnavailable('the search thread is starting again')
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
      there.failure = null
      const running = passing.search(searchOf(OTHER))
      await server.close()
      await running
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
      assert.equal(outcomes[0], 'failed')
    })

    test(
      'a process that is paused is stood in for after a bound, and then at once',
      { timeout: HANG_MS },
      async (t) => {
        const place = await placeOf(t)
        // The other process greets once, and then says nothing.
        let hasGreeted = false
        const mute = place.serve((socket) => {
          socket.on('error', () => undefined)
          if (!hasGreeted) writeFrame(socket, { kind: 'here', ...THERE })
          hasGreeted = true
        })
        t.after(() => mute.close())
        const { passing, outcomes } = passingTo(t, place.line)
        await up(passing, 2)
        for (let i = 0; i < 3; i++) assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
        assert.deepEqual(outcomes, ['failed'], 'only the first one was passed on, and waited')
      },
    )

    test('a refusal of the holder holds here too, before any other work is done', async (t) => {
      const { passing, here, there } = await pair(t)
      there.failure = new IndexRefused('tenant', 60_000)
      passing.requireRoom(OTHER, 'entries')
      await assert.rejects(passing.search(searchOf(OTHER)), (error: IndexRefused) => {
        assert.deepEqual([error.name, error.reason, error.retryAfterMs], ['IndexRefused', 'tenant', 60_000])
        return true
      })
      assert.throws(() => passing.requireRoom(OTHER, 'entries'), { name: 'IndexRefused', reason: 'tenant' })
      passing.requireRoom(OTHER, 'products')
      assert.equal(here.requests.length, 0)
    })

    test('a search that has waited in vain in the holder does not wait here again', async (t) => {
      const { passing, here, there } = await pair(t)
      there.failure = new SearchTimedOut('the index does not keep up with the changes')
      await assert.rejects(passing.search(searchOf(OTHER)), SearchTimedOut)
      assert.equal(here.requests.length, 0)
    })

    test('the memory of all processes is counted together', async (t) => {
      const { passing } = await pair(t)
      assert.deepEqual(await passing.status(), {
        ...STATUS,
        indexes: 2,
        documents: 4,
        passages: 6,
        documentsBehind: 10,
        behind: 2,
        building: 2,
        bytes: 20,
        bytesMax: 40,
      })
      assert.deepEqual(await passing.status(OTHER), STATUS)
    })

    test('memory of a stranger that was stood in for is given back once its process is there for a while', async (t) => {
      const place = await placeOf(t)
      const server = await place.listen(new NamedEngine('there'))
      t.after(() => server.close())
      t.mock.timers.enable({ apis: ['setInterval'] })
      const { passing, here } = passingTo(t, place.line)
      await up(passing, 2)
      t.mock.timers.tick(10_000)
      assert.equal(here.share, null)
      t.mock.timers.tick(10_000)
      assert.deepEqual(here.share, { own: '1', processes: ['1', '2'], holders: 1 })
    })

    test('memory of a stranger that is in use when it should be given back is given back later', async (t) => {
      const place = await placeOf(t)
      const server = await place.listen(new NamedEngine('there'))
      t.after(() => server.close())
      t.mock.timers.enable({ apis: ['setInterval'] })
      const { passing, here } = passingTo(t, place.line)
      await up(passing, 2)
      t.mock.timers.tick(10_000)
      here.isBusy = true
      const isAskedAtNextTick = async (): Promise<boolean> => {
        here.share = null
        t.mock.timers.tick(10_000)
        await new Promise(setImmediate)
        return here.share !== null
      }
      assert.ok(await isAskedAtNextTick())
      here.isBusy = false
      assert.ok(await isAskedAtNextTick())
      assert.ok(!(await isAskedAtNextTick()))
    })

    test('a process of a program with other messages is passed nothing, and each answers its own searches', async (t) => {
      const place = await placeOf(t)
      const server = await place.listen(new NamedEngine('there'), { form: 'other', instance: 'there' })
      t.after(() => server.close())
      const { passing, troubles } = passingTo(t, place.line)
      await until(() => troubles.length > 0, 'the trouble is told')
      assert.deepEqual(troubles, ['2 other-program'])
      assert.deepEqual(passing.processes, ['1'])
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
    })

    test('a process that comes back is passed searches again', async (t) => {
      const place = await placeOf(t)
      const first = await place.listen(new NamedEngine('first'))
      const { passing } = passingTo(t, place.line)
      await up(passing, 2)
      await first.close()
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
      const second = await place.listen(new NamedEngine('second'))
      t.after(() => second.close())
      await up(passing, 2)
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'second')
    })

    test('a process that has reached itself takes the name that others call it by, and asks itself nothing', async (t) => {
      const place = await placeOf(t)
      const { passing, here } = passingTo(t, place.line)
      const server = await place.listen(here, HERE)
      t.after(() => server.close())
      await until(() => passing.processes[0] === '2', 'it has the other name')
      assert.deepEqual(passing.processes, ['2'])
      assert.equal((await passing.search(searchOf(OTHER))).hits[0].id, 'here')
    })
  })
}

test('a process of another machine is asked nothing before it is ready', async (t) => {
  const place = await sealedPlace()
  const ready = Promise.withResolvers<void>()
  // The server subscribes to `ready` once a process has reached it.
  const reached = Promise.withResolvers<void>()
  const { then } = Promise.prototype
  t.mock.method(ready.promise, 'then', function (this: Promise<void>, ...on: Parameters<typeof then>) {
    reached.resolve()
    return then.apply(this, on)
  })
  const server = await place.listen(new NamedEngine('there'), THERE, ready.promise)
  t.after(() => server.close())
  const { passing } = passingTo(t, place.line)
  await reached.promise
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
  assert.deepEqual(passing.processes, ['1'])
  ready.resolve()
  await up(passing, 2)
})

test('two holders of a tenant take turns, also when each search is asked for room first', async (t) => {
  const folder = folderOf(t)
  const engines = ['2', '3'].map((name) => new NamedEngine(name))
  const lines = new Map<string, Line>()
  for (const engine of engines) {
    const path = join(folder, engine.name)
    const server = await HolderServer.listen(path, engine, { form: 'same', instance: engine.name })
    t.after(() => server.close())
    lines.set(engine.name, unixLine(path))
  }
  const { passing } = passingTo(t, lines.get('2')!, 2)
  passing.setPeers(lines)
  await up(passing, 3)
  const names = ['1', '2', '3']
  let tenant = 0
  while (holdersOf(`tenant-${tenant}`, names, 2).includes('1')) tenant++
  for (let i = 0; i < 10; i++) {
    passing.requireRoom(`tenant-${tenant}`, 'entries')
    await passing.search(searchOf(`tenant-${tenant}`))
  }
  assert.deepEqual(
    engines.map(({ requests }) => requests.length),
    [5, 5],
  )
})

test('only the user of the process may open its socket', async (t) => {
  const path = join(folderOf(t), '2')
  const server = await HolderServer.listen(path, new NamedEngine('there'), THERE)
  t.after(() => server.close())
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

async function pairAt(t: TestContext, placed: Promise<Place>, holders = 1) {
  const place = await placed
  const there = new NamedEngine('there')
  const server = await place.listen(there)
  t.after(() => server.close().catch(() => undefined))
  const joined = passingTo(t, place.line, holders)
  await up(joined.passing, 2)
  return { ...joined, there, server }
}

function passingTo(t: TestContext, line: Line, holders = 1) {
  const here = new NamedEngine('here')
  const outcomes: PassingOutcome[] = []
  const troubles: string[] = []
  const passing = new PassingEngine({
    engine: here,
    own: '1',
    identity: HERE,
    holders,
    onOutcome: (outcome) => outcomes.push(outcome),
    onTrouble: (process, { kind }) => troubles.push(`${process} ${kind}`),
  })
  t.after(() => passing.close())
  passing.setPeers(new Map([['2', line]]))
  return { passing, here, outcomes, troubles }
}

/** Resolves when the engine counts this many processes as running. */
function up(passing: PassingEngine, processes: number): Promise<void> {
  return until(() => passing.processes.length === processes, `${processes} processes are there`)
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-passing-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function tenantOf(process: string, processes: readonly string[]): string {
  for (let i = 0; ; i++) if (holdersOf(`tenant-${i}`, processes, 1)[0] === process) return `tenant-${i}`
}

function searchOf(
  tenantId: string,
  { vector = null, watermark = 7 }: { vector?: Float32Array | null; watermark?: number } = {},
): SearchRequest {
  return {
    ...plainSearch({ tenantId, index: 'entries', model: null, watermark }, 'kormoran "…" 🐦'),
    mode: 'hybrid',
    vector,
  }
}
