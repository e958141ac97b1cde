import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../support/patience.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { freePort, freePorts } from '../support/free-port.ts'
import { countHits, indexesOf, onNewConnection, type SharedTenant, sum, tenantsOf, write } from './shared-tenants.ts'

const SECRET_KEY = 'x'.repeat(40)
const CLIENTS = 3

/** A service with a data directory of its own, as on a machine of its own. */
class Machine {
  readonly name: string
  readonly #place: TestDatabase
  readonly #settings: Readonly<Record<string, string>>
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'knowledge-machine-'))
  service!: ServiceProcess

  constructor(place: TestDatabase, name: string, settings: Readonly<Record<string, string>>) {
    this.#place = place
    this.name = name
    this.#settings = settings
  }

  async start(): Promise<void> {
    const common = { DATA_DIR: this.#dataDir, SECRET_KEY, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' }
    this.service = await ServiceProcess.start(this.#place, { ...common, ...this.#settings })
  }

  async remove(): Promise<void> {
    await this.service.kill()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}

const postgres = DATABASES.find(({ name }) => name === 'PostgreSQL')

describe('Machines that share tenants', { skip: postgres === undefined }, () => {
  /**
   * Runs `work` with these machines, and then stops them.
   * @param settings of each machine, beside those by which they reach each other
   */
  const withMachines = async (
    settings: readonly Readonly<Record<string, string>>[],
    work: (machines: readonly Machine[], place: TestDatabase) => Promise<void>,
  ): Promise<void> => {
    const place = await postgres!.createMigrated()
    const names = await Promise.all(settings.map(async () => `127.0.0.1:${await freePort()}`))
    const machines = settings.map(
      (own, i) => new Machine(place, names[i], { SEARCH_LISTEN: names[i], SEARCH_PEERS: names.join(','), ...own }),
    )
    try {
      for (const machine of machines) await machine.start()
      await work(machines, place)
    } finally {
      for (const machine of machines) await machine.remove()
      await place.remove()
    }
  }

  test('a tenant is searched through both, only one has its index, and what one writes the other finds at once', async () => {
    await withMachines([{}, {}], async (machines, place) => {
      const [a, b] = machines.map(({ service }) => service)
      const tenants = await tenantsOf(a, place, namesOf(machines), 2)
      for (const tenant of tenants) await write(a, tenant, 'Kormoran')
      for (let round = 0; round < 4; round++) {
        for (const tenant of tenants) {
          for (const service of [a, b]) assert.equal(await countHits(service, tenant, 'kormoran'), round + 1)
          await write(round % 2 === 0 ? b : a, tenant, 'Kormoran')
        }
      }
      await until(async () => sum(await allIndexes(machines)) === tenants.length, 'each index is held once')
      assert.deepEqual(await allIndexes(machines), [2, 2])
      for (const service of [a, b]) {
        for (const tenant of tenants) assert.equal(await countHits(service, tenant, 'kormoran'), 5)
        assert.match(await metricsOf(service), /^search_passed_total\{outcome="answered"\} [1-9]/m)
      }
    })
  })

  test('no search fails and none is stale while the machine that holds the tenant is paused, gone or comes back', async () => {
    await withMachines([{}, {}], async (machines, place) => {
      const [front, holder] = machines
      const tenants = await tenantsOf(front.service, place, namesOf(machines), 1)
      const tenant = tenants.find((each) => each.holder === holder.name)!
      let written = 0
      const writeAndSearch = async (): Promise<void> => {
        for (let i = 0; i < 10; i++) {
          await write(front.service, tenant, 'Kormoran')
          assert.equal(await countHits(front.service, tenant, 'kormoran'), ++written)
        }
      }
      await writeAndSearch()
      const searches = searchSteadily(front.service, tenant)
      holder.service.child.kill('SIGSTOP')
      await writeAndSearch()
      holder.service.child.kill('SIGCONT')
      await writeAndSearch()
      await holder.service.kill()
      await writeAndSearch()
      assert.equal((await onNewConnection(front.service, '/readyz')).status, 200)
      await holder.start()
      await until(async () => {
        assert.equal(await countHits(front.service, tenant, 'kormoran'), written)
        const [atAsked, atHolder] = await allIndexes(machines)
        return atAsked === 0 && atHolder === 1
      }, 'only its machine holds the tenant again')
      await writeAndSearch()
      assert.ok((await searches.stop()) > CLIENTS)
    })
  })

  test('one with another secret key is left out, both say so once, and each answers its own searches', async () => {
    await withMachines([{}, { SECRET_KEY: 'y'.repeat(40) }], async (machines, place) => {
      const [a, b] = machines.map(({ service }) => service)
      for (const tenant of await tenantsOf(a, place, namesOf(machines), 1)) {
        await write(a, tenant, 'Kormoran')
        for (const service of [a, b]) assert.equal(await countHits(service, tenant, 'kormoran'), 1)
      }
      const told = [
        /a process in SEARCH_PEERS has another secret key/g,
        /a process with another secret key wanted to pass searches on/g,
      ]
      // The one that was started first tries again after up to five seconds.
      await until(async () => [a, b].every(({ output }) => told.every((words) => output.match(words) !== null)), 'told')
      for (const { output } of [a, b]) {
        for (const words of told) assert.equal(output.match(words)?.length, 1, output)
        assert.match(output, /give all processes of the installation the same SECRET_KEY/)
      }
      for (const service of [a, b])
        assert.match(await metricsOf(service), /^search_passed_total\{outcome="answered"\} 0$/m)
    })
  })

  test('one that listens on every address finds out what the other calls it', async () => {
    const port = await freePort()
    const otherPort = await freePort()
    const peers = `127.0.0.1:${port},127.0.0.1:${otherPort}`
    const settings = [
      { SEARCH_LISTEN: `0.0.0.0:${port}`, SEARCH_PEERS: peers },
      { SEARCH_LISTEN: `127.0.0.1:${otherPort}`, SEARCH_PEERS: peers },
    ]
    await withMachines(settings, async (machines, place) => {
      const tenants = await tenantsOf(machines[0].service, place, peers.split(','), 2)
      for (const tenant of tenants) await write(machines[0].service, tenant, 'Kormoran')
      await until(async () => {
        for (const tenant of tenants)
          for (const { service } of machines) assert.equal(await countHits(service, tenant, 'kormoran'), 1)
        const counts = await allIndexes(machines)
        return counts[0] === 2 && counts[1] === 2
      }, 'each index is held once')
    })
  })

  test('the processes of one machine are reached by their ports, also while they are replaced, and no search fails', async () => {
    const port = await freePorts(2)
    const names = [`127.0.0.1:${port}`, `127.0.0.1:${port + 1}`]
    const own = { PROCESSES: '2', STOP_DELAY_SECONDS: '2', SEARCH_LISTEN: names[0], SEARCH_PEERS: names.join(',') }
    await withMachines([own], async ([{ service }], place) => {
      const startsOf = (): number => service.output.match(/"msg":"a process serves"/g)?.length ?? 0
      await until(async () => startsOf() === 2, 'two processes serve')
      const tenants = await tenantsOf(service, place, names, 2)
      for (const tenant of tenants) await write(service, tenant, 'Kormoran')
      service.child.kill('SIGUSR2')
      await until(async () => {
        for (const tenant of tenants) assert.equal(await countHits(service, tenant, 'kormoran'), 1)
        return startsOf() === 4
      }, 'two new processes serve')
      await until(async () => {
        for (const tenant of tenants) assert.equal(await countHits(service, tenant, 'kormoran'), 1)
        const counts = await indexesOf(service)
        return counts[0] === 2 && counts[1] === 2
      }, 'each index is held once')
      assert.doesNotMatch(service.output, /SEARCH_LISTEN is taken/)
    })
  })
})

/**
 * Searches all the time, several at once.
 * @returns `stop`, which fails if any search has failed, and tells how many there were
 */
function searchSteadily(service: ServiceProcess, tenant: SharedTenant): { stop(): Promise<number> } {
  let served = 0
  const stopping = new AbortController()
  const client = async (): Promise<void> => {
    for (; !stopping.signal.aborted; served++) assert.ok((await countHits(service, tenant, 'kormoran')) > 0)
  }
  const clients = Promise.allSettled(Array.from({ length: CLIENTS }, client))
  return {
    async stop() {
      stopping.abort()
      for (const outcome of await clients) if (outcome.status === 'rejected') throw outcome.reason
      return served
    },
  }
}

function namesOf(machines: readonly Machine[]): string[] {
  return machines.map(({ name }) => name)
}

/** Returns how many indexes each machine holds. */
async function allIndexes(machines: readonly Machine[]): Promise<number[]> {
  return Promise.all(machines.map(async ({ service }) => sum(await indexesOf(service))))
}

async function metricsOf({ url }: ServiceProcess): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}
