/**
 * Upgrades two processes behind a proxy one after the other: to a program with another comment, which reads the search
 * indexes of the former one from disk, and to one with another analyser, which builds them before it takes requests.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Agent, fetch as fetchWith, type RequestInit as Init } from 'undici'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { samplesOf } from '../monitoring/samples.ts'
import { Balancer } from '../support/balancer.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/patience.ts'
import { ProgramCopy } from '../support/program-copy.ts'
import { inTier, isWhole } from '../support/tier.ts'
import { HOST, makeCertificate, PROXIES } from './proxies.ts'
import { asJson, proxyAgent, SteadyClients } from './steady-clients.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
/** The index of many entries takes longer to build than a search waits for it. */
const COUNT = inTier({ gate: 300, all: 20_000 })
const CLIENTS = 2
const BATCH = Math.min(COUNT, 1_000)
const ANALYSERS = 'search/analysis/analyser-numbers.ts'
const [NGINX] = PROXIES

/** What stands before the processes, and how clients reach it. */
interface Front {
  readonly base: string
  readonly agent: Agent
  close(): Promise<void>
}

const FRONTS: readonly { name: string; skip: string | false; open(ports: [number, number]): Promise<Front> }[] = [
  { name: 'a balancer', skip: false, open: openBalancer },
  { name: 'nginx', skip: isWhole ? NGINX.program.skip : 'nginx stands before them in the whole run', open: openNginx },
]

async function openBalancer(ports: [number, number]): Promise<Front> {
  const balancer = await Balancer.before(ports)
  const agent = new Agent({ connections: CLIENTS })
  return {
    base: balancer.url,
    agent,
    async close() {
      await agent.destroy()
      balancer.close()
    },
  }
}

async function openNginx(servicePorts: [number, number]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-upgrade-'))
  chmodSync(folder, 0o755)
  const { certificate } = makeCertificate(folder)
  const httpsPort = await freePort()
  const nginx = await NGINX.start({ folder, httpsPort, httpPort: await freePort(), servicePorts })
  const agent = proxyAgent({ ca: readFileSync(certificate), connections: CLIENTS, allowH2: false })
  return {
    base: `https://${HOST}:${httpsPort}`,
    agent,
    async close() {
      await agent.destroy()
      await nginx.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

onAnyDatabase('A rolling upgrade', (kind) => {
  for (const { name, skip, open } of FRONTS) {
    describe(`of two processes behind ${name}`, { skip }, () => {
      let place: TestDatabase
      let copy: ProgramCopy
      let front: Front
      let category: string
      let ports: [number, number]
      const services: ServiceProcess[] = []

      const start = async (i: number, main?: string): Promise<void> => {
        const settings = {
          PORT: String(ports[i]),
          TRUST_PROXY: 'true',
          SECRET_KEY: 'x'.repeat(40),
          STOP_DELAY_SECONDS: '1',
          RATE_LIMIT_PER_MINUTE: '1000000',
          SEARCH_WAIT_SECONDS: '1',
          LOG_LEVEL: 'info',
        }
        services[i] = await ServiceProcess.start(place, settings, main)
      }
      const call = (path: string, init: Init = {}) =>
        fetchWith(front.base + path, {
          ...init,
          dispatcher: front.agent,
          headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(init.headers as Record<string, string>) },
        })
      const sample = async (i: number, metric: string): Promise<number> =>
        (await samplesOf(services[i].url)).get(metric) ?? 0
      const saved = (i: number) => sample(i, 'search_snapshots_total{event="saved"}')

      before(async () => {
        place = await kind.createMigrated()
        copy = new ProgramCopy()
        ports = [await freePort(), await freePort()]
        await start(0)
        await start(1)
        front = await open(ports)
        const creation = await call('/api/knowledge/categories', asJson({ name: 'General' }))
        category = ((await creation.json()) as { id: string }).id
        for (let from = 0; from < COUNT; from += BATCH) {
          const lines = Array.from({ length: BATCH }, (_, i) => {
            const content = `Das Licht Nummer ${from + i} hängt über dem Tisch und leuchtet am Abend.`
            return JSON.stringify({ title: `Stehlampe ${from + i}`, content, category_id: category, language: 'de' })
          })
          const { status } = await services[0].call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n') })
          assert.equal(status, 200)
        }
        for (const service of services) {
          const isFound = async () =>
            (await service.call('POST', `${ENTRIES}/search`, { body: { query: 'licht' } })).status === 200
          await until(isFound, 'each process has the index')
        }
        await until(async () => (await saved(0)) > 0 || (await saved(1)) > 0, 'there is a snapshot')
      })
      after(async () => {
        await front?.close()
        await Promise.all(services.map((service) => service.kill()))
        copy?.remove()
        await place.remove()
      })

      /** Replaces both processes while clients write, search and read. @returns their failures */
      const upgrade = async (): Promise<readonly string[]> => {
        const clients = new SteadyClients(CLIENTS, category, (_n, path, init) => call(path, init))
        for (const i of [0, 1]) {
          await services[i].stop()
          await start(i, copy.main)
          const { served } = clients
          await until(() => clients.served > served + 10 * CLIENTS, 'clients are served')
        }
        await clients.stop()
        return clients.failures
      }
      const builds = (i: number, from: string) => sample(i, `search_index_builds_total{from="${from}"}`)

      test('to a program with another comment reads its indexes from disk, and no request fails', async () => {
        copy.change(ANALYSERS, '/**\n', '/**\n * Another comment.\n')
        assert.deepEqual(await upgrade(), [])
        for (const i of [0, 1]) {
          assert.deepEqual([await builds(i, 'snapshot'), await builds(i, 'database')], [1, 0])
          assert.doesNotMatch(services[i].output, /another form/)
        }
      })

      test('to a program with another analyser builds its indexes before it takes requests, and none fails', async () => {
        copy.change(ANALYSERS, 'de: 1', 'de: 2')
        assert.deepEqual(await upgrade(), [])
        assert.match(services[0].output, /have another form, and are built anew before the service is ready/)
        assert.equal(await builds(0, 'database'), 1)
        assert.ok((await sample(0, 'search_index_documents')) >= COUNT)
      })
    })
  }
})
