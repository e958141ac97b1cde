/**
 * Measures what passing searches on saves and costs: three processes on one port and one SQLite database, and tenants
 * with 1,000 entries each. Every tenant is searched on connections to all processes; then all of them are searched at
 * once for some seconds. Once each tenant is held by one process, and once by all three. `--tenants N` (30), `--seconds
 * N` (10), `--tcp` lets the processes reach each other as those of several machines do, in place of Unix sockets, and
 * `--data FOLDER` keeps the filled database for the next run.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { freePorts } from '../test/support/free-port.ts'
import { makeCorpus } from './search-corpus.ts'
import { ApiClient } from './support/api-client.ts'
import { machineFacts, machineText } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { fixed, table } from './support/table.ts'

const PROCESSES = 3
const ENTRIES = 1_000
const CONNECTIONS = 12
/** Milliseconds by which the memory of the start is given back, and heaps were collected. */
const REST_MS = 35_000
const SEARCH = '/api/knowledge/knowledge-entries/search'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '10' },
    data: { type: 'string' },
    tcp: { type: 'boolean', default: false },
  },
})
const tenants = Number(values.tenants)
const corpus = makeCorpus(tenants * ENTRIES, tenants)
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'knowledge-bench-processes-'))
try {
  const keys = await filled()
  const rows = [await measure(keys, 1), await measure(keys, PROCESSES)]
  console.log(
    `${tenants} tenants of ${ENTRIES} entries, ${PROCESSES} processes, ${CONNECTIONS} connections, over ${values.tcp ? 'TCP' : 'Unix sockets'}\n`,
  )
  console.log(table(['holders of a tenant', 'indexes', 'index MB', 'resident MB', 'searches a second'], rows))
  console.log(machineText(machineFacts()))
} finally {
  if (values.data === undefined) rmSync(folder, { recursive: true })
}

async function measure(keys: readonly string[], holders: number): Promise<string[]> {
  rmSync(join(folder, 'search-snapshots'), { recursive: true, force: true })
  const service = await startServiceProcess({
    DATA_DIR: folder,
    PROCESSES: String(PROCESSES),
    SEARCH_PROCESSES_PER_TENANT: String(holders),
    ...(values.tcp ? await membersOverTcp() : {}),
  })
  try {
    while ((await metrics(service, 'service_process_down')).filter((down) => down === 0).length < PROCESSES)
      await sleep(200)
    for (const [i, key] of keys.entries())
      for (let n = 0; n < 2 * PROCESSES; n++) await searchOnce(service, key, corpus.queries[i])
    await sleep(REST_MS)
    const indexes = sum(await metrics(service, 'search_index_indexes'))
    const bytes = sum(await metrics(service, 'search_index_bytes'))
    const resident = sum(childrenOf(service.pid).map((pid) => memoryMb(pid).own))
    const perSecond = await load(service, keys)
    return [String(holders), String(indexes), fixed(bytes / 2 ** 20, 0), fixed(resident, 0), fixed(perSecond, 0)]
  } finally {
    await service.stop()
  }
}

async function membersOverTcp(): Promise<Record<string, string>> {
  const port = await freePorts(PROCESSES)
  const peers = Array.from({ length: PROCESSES }, (_, i) => `127.0.0.1:${port + i}`)
  return { SEARCH_LISTEN: peers[0], SEARCH_PEERS: peers.join(','), SECRET_KEY: randomBytes(32).toString('hex') }
}

/**
 * Sends searches. Each connection sends its next search when the last one was answered, to one tenant after the other.
 */
async function load({ url }: ServiceProcess, keys: readonly string[]): Promise<number> {
  const endsAt = performance.now() + Number(values.seconds) * 1_000
  let served = 0
  const work = async (n: number): Promise<void> => {
    const dispatcher = new Agent({ connections: 1 })
    for (let i = n; performance.now() < endsAt; i += CONNECTIONS) {
      await search(url, keys[i % keys.length], corpus.queries[i % corpus.queries.length], dispatcher)
      served++
    }
    await dispatcher.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => work(n)))
  return served / Number(values.seconds)
}

/** Searches once on a connection of its own, which the next process gets. */
async function searchOnce({ url }: ServiceProcess, key: string, query: string): Promise<void> {
  const dispatcher = new Agent()
  await search(url, key, query, dispatcher)
  await dispatcher.close()
}

async function search(url: string, key: string, query: string, dispatcher: Agent): Promise<void> {
  const { statusCode, body } = await request(url + SEARCH, {
    dispatcher,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, mode: 'hybrid' }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`a search was answered with ${statusCode}: ${text}`)
}

/** Fills the data directory unless it is filled. @returns a key for each tenant */
async function filled(): Promise<string[]> {
  const keyFile = join(folder, `bench-keys-${tenants}.json`)
  if (existsSync(keyFile)) return JSON.parse(readFileSync(keyFile, 'utf8')) as string[]
  const service = await startServiceProcess({ DATA_DIR: folder, SEARCH_SNAPSHOT_MB: '0' })
  try {
    const keys: string[] = []
    for (let i = 0; i < tenants; i++) {
      const { key } = await service.tenant(`bench-${i}`)
      keys.push(key)
      const api = new ApiClient(service.url, key)
      const categoryId = await api.category('General')
      const entries = corpus.entries.slice(i * ENTRIES, (i + 1) * ENTRIES)
      await api.importEntries(entries.map((entry) => ({ ...entry, category: undefined, category_id: categoryId })))
      await api.embedded()
      await api.close()
    }
    writeFileSync(keyFile, JSON.stringify(keys))
    return keys
  } finally {
    await service.stop()
  }
}

/** Returns the values that a metric has for the processes. */
async function metrics({ url }: ServiceProcess, name: string): Promise<number[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(new RegExp(`^${name}\\{process="\\d+"\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
