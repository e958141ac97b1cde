import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Agent, fetch as fetchWith } from 'undici'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { Program } from '../faults/program.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/patience.ts'
import { countHits, indexesOf, onNewConnection, sum, tenantsOf, write } from './shared-tenants.ts'
import { SteadyClients } from './steady-clients.ts'

const CLIENTS = 3
const NAMES = ['1', '2', '3']
const SETTINGS = { PROCESSES: '3', LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000', SECRET_KEY: 'x'.repeat(40) }

onEachDatabase('Several processes on one port', (kind) => {
  /** Runs `work` with a service whose processes all serve, and then stops it. */
  const withService = async (
    settings: Readonly<Record<string, string>>,
    work: (service: ServiceProcess, place: TestDatabase) => Promise<void>,
  ): Promise<void> => {
    const place = await kind.createMigrated()
    const service = await ServiceProcess.start(place, { ...SETTINGS, ...settings })
    try {
      await until(async () => startsOf(service).length === 3, 'three processes serve')
      await work(service, place)
    } finally {
      await service.kill()
      await place.remove()
    }
  }

  test('all of them answer, tell their metrics apart, and only the first one speaks at the start', async () => {
    await withService({}, async (service) => {
      assert.deepEqual(new Set(startsOf(service).map(({ process }) => process)), new Set([1, 2, 3]))
      assert.equal(service.output.match(/Knowledge Service is ready/g)?.length, 1)
      // Each connection goes to the next process.
      for (let i = 0; i < 9; i++) await onNewConnection(service, '/api/knowledge/categories')
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      for (const process of [1, 2, 3]) {
        assert.match(
          metrics,
          new RegExp(`^http_request_duration_seconds_count\\{[^}]*process="${process}"[^}]*\\} [1-9]`, 'm'),
        )
        assert.match(metrics, new RegExp(`^service_process_down\\{process="${process}"\\} 0$`, 'm'))
      }
      assert.equal(metrics.match(/^# TYPE nodejs_version_info /gm)?.length, 1)
    })
  })

  test('one that is killed is started again, and the others answer meanwhile', async () => {
    await withService({}, async (service) => {
      const killed = startsOf(service).find(({ process }) => process === 2)!
      process.kill(killed.pid, 'SIGKILL')
      await until(async () => startsOf(service).length === 4, 'the killed process serves again')
      assert.equal(startsOf(service).at(-1).process, 2)
      for (let i = 0; i < 9; i++) assert.equal((await onNewConnection(service, '/readyz')).status, 200)
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      assert.match(metrics, /^service_process_restarts_total\{process="2"\} 1$/m)
      assert.match(metrics, /^service_process_restarts_total\{process="1"\} 0$/m)
    })
  })

  test('SIGUSR2 replaces them one after the other, and no request of clients fails meanwhile', async () => {
    await withService({ STOP_DELAY_SECONDS: '5' }, async (service) => {
      const agent = new Agent({ connections: CLIENTS })
      const call = (path: string, init: object = {}) =>
        fetchWith(service.url + path, {
          ...init,
          dispatcher: agent,
          headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
        })
      const creation = await call('/api/knowledge/categories', { method: 'POST', body: '{"name":"General"}' })
      const { id } = (await creation.json()) as { id: string }
      const before = startsOf(service).map(({ pid }) => pid)
      const clients = new SteadyClients(CLIENTS, id, (_n, path, init) => call(path, init))
      service.child.kill('SIGUSR2')
      await until(async () => startsOf(service).length === 6, 'three new processes serve')
      await until(async () => before.every((pid) => !isAlive(pid)), 'the old ones are gone')
      await clients.stop()
      await agent.close()
      assert.deepEqual(clients.failures, [])
      assert.ok(clients.served > CLIENTS, `only ${clients.served} requests were served`)
      assert.deepEqual(
        startsOf(service)
          .slice(3)
          .map(({ process }) => process),
        [1, 2, 3],
      )
      assert.doesNotMatch(service.output, /ended and is started again/)
    })
  })

  test('SIGTERM lets all of them say that they leave, serve on for the delay, and end', async () => {
    await withService({ STOP_DELAY_SECONDS: '15' }, async (service) => {
      const stopped = service.stop()
      // Each connection goes to the next process.
      await until(async () => {
        const answers = await Promise.all(NAMES.map(() => onNewConnection(service, '/readyz')))
        return answers.every(({ status }) => status === 503)
      }, 'all of them say that they leave')
      assert.equal((await onNewConnection(service, '/api/knowledge/categories')).status, 200)
      const { code } = await stopped
      assert.equal(code, 0)
      for (const { pid } of startsOf(service)) assert.equal(isAlive(pid), false)
    })
  })

  test('each tenant is held by one process, and all of them find what any one has written', async () => {
    await withService({}, async (service, place) => {
      const tenants = await tenantsOf(service, place, NAMES, 3)
      for (const tenant of tenants) await write(service, tenant, 'Kormoran')
      for (let round = 0; round < 4; round++) {
        for (const tenant of tenants) {
          assert.equal(await countHits(service, tenant, 'kormoran'), round + 1)
          await write(service, tenant, 'Kormoran')
        }
      }
      // One that was searched before the processes knew each other is given back after a while.
      await until(async () => sum(await indexesOf(service)) === tenants.length, 'each index is held once')
      assert.deepEqual(await indexesOf(service), [3, 3, 3])
      for (const tenant of tenants) assert.equal(await countHits(service, tenant, 'kormoran'), 5)
    })
  })

  test('with as many holders as processes, each process searches by itself', async () => {
    await withService({ SEARCH_PROCESSES_PER_TENANT: '3' }, async (service, place) => {
      const [tenant] = await tenantsOf(service, place, NAMES, 1)
      await write(service, tenant, 'Kormoran')
      await until(async () => {
        assert.equal(await countHits(service, tenant, 'kormoran'), 1)
        return sum(await indexesOf(service)) === 3
      }, 'each process has the index')
    })
  })

  test('no search fails and none is stale while the process that holds the tenant is paused, killed or wakes up', async () => {
    await withService({}, async (service, place) => {
      const tenant = (await tenantsOf(service, place, NAMES, 1)).find(({ holder }) => holder === '2')!
      let written = 0
      /** Number of writes whose answer was lost: they may be stored already, or once the process wakes up. */
      let open = 0
      /**
       * Writes and searches through all processes. Every request that no paused or killed process had is answered, and
       * every search finds all earlier writes.
       * @returns the number of requests that a paused or killed process had
       */
      const writeAndSearch = async (): Promise<number> => {
        let lost = 0
        for (let i = 0; i < 10; i++) {
          const isWritten = await unlessLost(write(service, tenant, 'Kormoran').then(() => true))
          if (isWritten === null) open++
          else written++
          const count = await unlessLost(countHits(service, tenant, 'kormoran'))
          if (isWritten === null || count === null) lost++
          if (count !== null) assert.ok(count >= written && count <= written + open, `${count} of ${written}`)
        }
        return lost
      }
      assert.equal(await writeAndSearch(), 0)
      const { pid } = startsOf(service).find(({ process }) => process === 2)!
      process.kill(pid, 'SIGSTOP')
      assert.ok((await writeAndSearch()) <= 1)
      process.kill(pid, 'SIGCONT')
      assert.equal(await writeAndSearch(), 0)
      process.kill(pid, 'SIGKILL')
      assert.ok((await writeAndSearch()) <= 1)
      await until(async () => startsOf(service).length === 4, 'the killed process serves again')
      assert.equal(await writeAndSearch(), 0)
    })
  })

  test('the end of the parent process ends all of them', async () => {
    await withService({}, async (service) => {
      await service.kill()
      await until(async () => startsOf(service).every(({ pid }) => !isAlive(pid)), 'no process is left')
    })
  })

  test('a start that cannot work ends with one line, in place of being tried again', async () => {
    const place = await kind.createMigrated()
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    try {
      const program = new Program(place.options, undefined, port, { PROCESSES: '3', BOOTSTRAP_API_KEY: ADMIN_KEY })
      assert.equal(await program.ended(), 1)
      assert.equal(program.output.match(/Cannot listen on/g)?.length, 1)
      assert.doesNotMatch(program.output, /started again/)
    } finally {
      other.close()
      await place.remove()
    }
  })

  test('a service of one process goes on at SIGUSR2, and says why nothing is replaced', async () => {
    const place = await kind.createMigrated()
    const alone = await ServiceProcess.start(place, { ...SETTINGS, PROCESSES: '1', LOG_LEVEL: 'warn' })
    try {
      alone.child.kill('SIGUSR2')
      await until(async () => /SIGUSR2 replaces several processes/.test(alone.output), 'it says so')
      assert.equal((await fetch(`${alone.url}/healthz`)).status, 200)
    } finally {
      await alone.kill()
      await place.remove()
    }
  })

  test('a start without room for the sockets between processes says which setting is wrong', async () => {
    const place = await kind.createMigrated()
    try {
      const program = new Program(place.options, undefined, await freePort(), { PROCESSES: '2', TMPDIR: '/no/folder' })
      assert.equal(await program.ended(), 2)
      assert.match(
        program.output,
        /^TMPDIR must be a folder that this user may write to, not \/no\/folder \(ENOENT\)$/m,
      )
      assert.doesNotMatch(program.output, /mkdtemp/)
    } finally {
      await place.remove()
    }
  })
})

/** Returns the lines of the log about processes that came to serve, in their order. */
function startsOf({ output }: ServiceProcess): { process: number; pid: number }[] {
  return output
    .split('\n')
    .filter((line) => line.includes('"msg":"a process serves"'))
    .map((line) => JSON.parse(line) as { process: number; pid: number })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Awaits a request.
 * @returns null if its process was paused or killed while it had the request
 */
async function unlessLost<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return null
  }
}
