import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/database/database.ts'
import { everything, namesIn, succeeds } from '../backup/parts.ts'
import { start } from '../cli/program.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import type { TestDatabase } from '../support/databases.ts'
import { pick } from './chance.ts'
import type { Site } from './site.ts'
import type { World } from './world.ts'

/** A fault of one round, between answered writes and the check. It ends with the service started again. */
export interface Strike {
  readonly name: string
  /** Number of processes that the fault kills: the service, a command or PostgreSQL. */
  readonly kills: number
  /** Tells whether the fault can happen to an installation. */
  readonly isPossible: (site: Site, world: World) => boolean
  readonly run: (world: World, random: () => number, site: Site) => Promise<void>
}

const START_MS = 2_500
const STOP_MS = 400
const BACKUP_MS = 1_200
const DISK_MS = 300
const CLOCK_STEP_MAX_S = 3_000
const ATTEMPTS = 5
const HANG_UP_SHARE = 0.2
const HANG_UP_MS = 15

const always = (): boolean => true

/** Returns the number of answered writes before the fault. */
const someWrites = (random: () => number): number => 5 + Math.floor(random() * 80)

/** Kills a running command after a while; it may have ended. */
async function killed(world: World, args: readonly string[], ms: number, env: Readonly<Record<string, string>> = {}) {
  const running = start(world.place, args, { env })
  await sleep(ms)
  running.process.kill('SIGKILL')
  return running.finished
}

const service: Strike = {
  name: 'kill -9 of the service',
  kills: 1,
  isPossible: always,
  async run(world, random) {
    await world.write(random, someWrites(random), async () => {
      await sleep(random() * 20)
      await world.service.kill()
    })
    await world.start()
  },
}

/** Kills a process while it stops and writes indexes and waiting clicks. */
const stopping: Strike = {
  name: 'kill -9 of the service while it stops',
  kills: 1,
  isPossible: always,
  async run(world, random) {
    await world.write(random, someWrites(random), async () => {
      world.service.child.kill('SIGTERM')
      await sleep(random() * STOP_MS)
      await world.service.kill()
    })
    await world.start()
  },
}

const starting: Strike = {
  name: 'kill -9 of the service while it starts',
  kills: 2,
  isPossible: always,
  async run(world, random) {
    await world.write(random, someWrites(random), () => world.service.kill())
    await killed(world, ['serve'], random() * START_MS, { PORT: '0', STOP_DELAY_SECONDS: '0' })
    await world.start()
  },
}

const disconnects: Strike = {
  name: 'clients that hang up',
  kills: 0,
  isPossible: always,
  async run(world, random) {
    const hangUp = () =>
      random() < HANG_UP_SHARE ? AbortSignal.timeout(1 + Math.floor(random() * HANG_UP_MS)) : undefined
    await world.write(random, someWrites(random), async () => undefined, hangUp)
    // A process that stops finishes what it was asked, so that every write has an end.
    assert.equal((await world.service.stop()).code, 0, world.service.output)
    await world.start()
  },
}

const migrating: Strike = {
  name: 'kill -9 of the migrations of an empty database',
  kills: 1,
  isPossible: always,
  async run(_world, random, site) {
    const place = await site.newPlace()
    const serve = start(place, ['serve'], { env: { PORT: '0', STOP_DELAY_SECONDS: '0' } })
    await sleep(random() * START_MS)
    serve.process.kill('SIGKILL')
    await serve.finished
    const started = await ServiceProcess.start(place)
    assert.equal((await started.stop()).code, 0, started.output)
    await place.remove()
  },
}

const backup: Strike = {
  name: 'kill -9 of a backup and of its restore',
  kills: 2,
  isPossible: ({ isPostgres, major }) => !isPostgres || DUMPABLE_POSTGRES?.major === major,
  async run(world, random, site) {
    const env = { BACKUP_POSTGRES_BIN: DUMPABLE_POSTGRES?.folder ?? '' }
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-trial-backups-'))
    const elsewhere = await site.newPlace()
    try {
      await world.write(random, someWrites(random), async () => {
        await killed(world, ['backup', join(folder, 'killed')], random() * BACKUP_MS, env)
        await world.service.stop()
      })
      await succeeds(world.place, ['backup', join(folder, 'whole')], env)
      // A backup has its name once it is whole.
      if (existsSync(join(folder, 'killed'))) await isWhole(join(folder, 'killed'), site, env)
      assert.deepEqual(
        namesIn(folder).filter((name) => name.startsWith('.')),
        [],
        'the next backup removes what a killed one left',
      )
      const restore = ['restore', join(folder, 'whole')]
      const begun = start(elsewhere, restore, { env })
      await sleep(random() * BACKUP_MS)
      begun.process.kill('SIGKILL')
      if ((await begun.finished).code !== 0) await runsAgain(elsewhere, restore, env)
      const restored = openDatabase({ ...elsewhere.options, readOnly: true })
      // The command notes a backup once it is made.
      const noted = { backup_state: [] }
      const stored = { ...(await everything(world.database)), ...noted }
      const again = { ...(await everything(restored)), ...noted }
      await restored.close()
      assert.deepEqual(differences(stored, again), [], 'what was restored is what was backed up')
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await elsewhere.remove()
    }
    await world.start()
  },
}

async function isWhole(backup: string, site: Site, env: Readonly<Record<string, string>>): Promise<void> {
  const place = await site.newPlace()
  await succeeds(place, ['restore', backup], env)
  await place.remove()
}

/**
 * Runs a killed restore again. PostgreSQL may still undo, or finish, the statements before the kill; a complete place
 * refuses.
 */
async function runsAgain(place: TestDatabase, args: readonly string[], env: Readonly<Record<string, string>>) {
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await start(place, args, { env }).finished
    if (code === 0) return
    await sleep(200)
    if (attempt < ATTEMPTS) continue
    assert.match(stderr, /restore replaces nothing/)
    return
  }
}

/** Returns the names of the tables that differ. */
function differences(a: Readonly<Record<string, string[]>>, b: Readonly<Record<string, string[]>>): string[] {
  const tables = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...tables].filter((table) => JSON.stringify(a[table]) !== JSON.stringify(b[table]))
}

const crash: Strike = {
  name: 'kill -9 of PostgreSQL',
  kills: 1,
  isPossible: ({ isPostgres }) => isPostgres,
  async run(world, random, site) {
    await world.write(random, someWrites(random), async () => {
      await site.crashPostgres()
      await sleep(random() * 200)
    })
    await world.answers()
  },
}

const restart: Strike = {
  name: 'a restart of PostgreSQL',
  kills: 0,
  isPossible: ({ isPostgres }) => isPostgres,
  async run(world, random, site) {
    await world.write(random, someWrites(random), () => site.restartPostgres())
    await world.answers()
  },
}

/** Fills the disk, or makes it give errors, for a while. PostgreSQL's own disk is not the service's. */
const disk: Strike = {
  name: 'a disk that is full or gives errors',
  kills: 0,
  isPossible: ({ disk: faulty, isPostgres }) => faulty !== null && !isPostgres,
  async run(world, random, site) {
    await world.write(random, someWrites(random), async () => {
      const write = pick(random, ['full', 'broken', undefined] as const)
      site.disk!.set({ write, sync: write === undefined ? 'broken' : undefined, half: random() < 0.3 })
      await sleep(random() * DISK_MS)
      site.disk!.set({})
      if (random() < 0.5) await world.service.kill()
      else await world.answers()
    })
    await world.service.kill()
    await world.start()
  },
}

const clock: Strike = {
  name: 'a clock that steps back or ahead',
  kills: 1,
  isPossible: ({ disk: faulty }) => faulty !== null,
  async run(world, random, site) {
    await world.write(random, someWrites(random), async () => {
      site.disk!.set({ clockSeconds: Math.round((random() - 0.5) * CLOCK_STEP_MAX_S) })
      await sleep(random() * DISK_MS)
      await world.service.kill()
    })
    await world.start()
    await world.write(random, someWrites(random), async () => site.disk!.set({}))
  },
}

const provider: Strike = {
  name: 'a provider that fails, hangs or lies',
  kills: 1,
  isPossible: (_site, world) => world.hasProvider,
  async run(world, random, { provider: remote }) {
    const way = pick(random, ['fails', 'hangs', 'lies'] as const)
    remote.isDown = way === 'fails'
    remote.isHanging = way === 'hangs'
    remote.lie = way === 'lies' ? pick(random, LIES) : null
    try {
      await world.write(random, someWrites(random), async () => {
        await sleep(random() * DISK_MS)
        await world.service.kill()
      })
      await world.start()
      await world.check()
    } finally {
      remote.isDown = false
      remote.isHanging = false
      remote.lie = null
    }
  },
}

/** Wrong answers of a provider that look right from outside. */
const LIES: readonly ((vectors: readonly number[][]) => unknown)[] = [
  () => ({}),
  () => ({ data: null }),
  (vectors) => ({ data: vectors.slice(1).map((embedding, index) => ({ index, embedding })) }),
  (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding: embedding.slice(1) })) }),
  (vectors) => ({ data: vectors.map((embedding) => ({ index: 0, embedding })) }),
  (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding: embedding.map(() => 0) })) }),
  (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding: embedding.map(String) })) }),
  (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding: embedding.map(() => 1e300) })) }),
]

/** All faults. Kills of the service come more often than the rest. */
export const STRIKES: readonly Strike[] = [
  service,
  service,
  service,
  stopping,
  starting,
  disconnects,
  migrating,
  backup,
  crash,
  restart,
  disk,
  clock,
  provider,
]
