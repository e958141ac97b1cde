/**
 * Measures the cost of entries and tenants at three sizes each, and extrapolates along the straight line through them:
 * a tenant of 1,000, 10,000 and 50,000 entries of about 120 words, and 10, 100 and 1,000 tenants of ten entries, on a
 * PostgreSQL that this command starts. `--entries A,B,C` and `--tenants A,B,C` choose other sizes, `--write` updates
 * docs/capacity.md.
 */
import { parseArgs } from 'node:util'
import { issueOperator } from '../src/identity/operators/rules.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { administer, urlOf } from '../test/support/template.ts'
import {
  type CapacityReport,
  capacityText,
  type EntriesFigures,
  tablesOf,
  type TenantsFigures,
} from './capacity-report.ts'
import { makeCorpus } from './search-corpus.ts'
import { writeCapacityPage } from './support/capacity-page.ts'
import { ApiClient } from './support/api-client.ts'
import { PostgresFigures } from './support/postgres-figures.ts'
import { saveReport } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { cpuSeconds, memoryMb } from './support/process-figures.ts'
import { metricOf, untilSaved } from './support/metric.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000,10000,50000' },
    tenants: { type: 'string', default: '10,100,1000' },
    write: { type: 'boolean', default: false },
  },
})
const sizesOf = (text: string): number[] => text.split(',').map(Number)
const ENTRIES = sizesOf(values.entries)
const TENANTS = sizesOf(values.tenants)
const ENTRIES_OF_A_TENANT = 10
const PER_IMPORT = 500
const SEARCHES = 300
const WRITES = 100
/** Tenants that are filled and searched at the same time; each tenant owns its connections. */
const SIDE_BY_SIDE = 4
/** Milliseconds within which an index is written to disk. From then on its memory is that of rest. */
const REST_MAX_MS = 120_000
const SETTINGS = {
  SEARCH_MEMORY_MB: '4096',
  SEARCH_MEMORY_PER_TENANT_MB: '4096',
  RATE_LIMIT_PER_MINUTE: '10000000',
}

const corpus = makeCorpus(Math.max(...ENTRIES, Math.max(...TENANTS) * ENTRIES_OF_A_TENANT) + WRITES, SEARCHES)
const server = await startPostgres({ isDurable: true })
const entries: EntriesFigures[] = []
const tenants: TenantsFigures[] = []
try {
  for (const size of ENTRIES) entries.push(await measureEntries(size))
  for (const size of TENANTS) tenants.push(await measureTenants(size))
} finally {
  await server.stop()
}
const report: CapacityReport = { machine: machineFacts(), entries, tenants, entriesOfATenant: ENTRIES_OF_A_TENANT }
console.log(capacityText(report))
if (values.write) {
  saveReport('capacity', report)
  writeCapacityPage(capacityText(report))
}

/** Measures one tenant of a number of entries: writing them, building their index, searching them. */
async function measureEntries(size: number): Promise<EntriesFigures> {
  const url = urlOf(server.url, `entries_${size}`)
  await administer(server.url, `create database entries_${size}`)
  const { key, bulkCpu } = await fill(url, size)
  const service = await startServiceProcess({ ...SETTINGS, DATABASE_URL: url })
  const postgres = await PostgresFigures.of(url)
  try {
    const tables = tablesOf(await postgres.tableBytes())
    const idle = memoryMb(service.pid).own
    const api = new ApiClient(service.url, key, 1)
    await search(api, 0)
    const buildSeconds = await metricOf(service, 'search_index_build_seconds_total{from="database"}')
    // The first searches are slower, until the code is compiled.
    for (let i = 0; i < SEARCHES; i++) await search(api, i)
    const searchCpu = await cpuOf(service, postgres, SEARCHES, (i) => search(api, i))
    await untilSaved(service, 1, REST_MAX_MS)
    const indexBytes = await metricOf(service, 'search_index_bytes')
    const memory = memoryMb(service.pid).own - idle
    const category = await api.category('Single')
    const writeCpu = await cpuOf(service, postgres, WRITES, (i) =>
      api.call('POST', '/knowledge-entries', entryOf(size + i, category)),
    )
    await api.close()
    return { size, tables, bulkCpu, writeCpu, searchCpu, buildSeconds, indexBytes, memoryMb: memory }
  } finally {
    await postgres.close()
    await service.stop()
  }
}

async function fill(url: string, size: number): Promise<{ key: string; bulkCpu: Cpu }> {
  const service = await startServiceProcess({ ...SETTINGS, DATABASE_URL: url })
  const postgres = await PostgresFigures.of(url)
  try {
    const { key } = await service.tenant('large')
    const api = new ApiClient(service.url, key, 1)
    const category = await api.category('General')
    const batches = Math.ceil(size / PER_IMPORT)
    const cpu = await cpuOf(service, postgres, size, async (i) => {
      if (i >= batches) return
      const from = i * PER_IMPORT
      const lines = Array.from({ length: Math.min(PER_IMPORT, size - from) }, (_, j) => entryOf(from + j, category))
      await api.importEntries(lines)
      if (i === batches - 1) await api.embedded()
    })
    await api.close()
    return { key, bulkCpu: cpu }
  } finally {
    await postgres.close()
    await service.stop()
  }
}

/** Measures a number of tenants with ten entries each, made as an operator makes them. */
async function measureTenants(size: number): Promise<TenantsFigures> {
  const url = urlOf(server.url, `tenants_${size}`)
  await administer(server.url, `create database tenants_${size}`)
  const service = await startServiceProcess({ ...SETTINGS, DATABASE_URL: url })
  const postgres = await PostgresFigures.of(url)
  try {
    const before = await postgres.allBytes()
    const operator = await operatorOf(url)
    const keys: string[] = Array.from({ length: size }, () => '')
    const makeCpu = await cpuOf(service, postgres, size, async (i) => {
      keys[i] = await makeTenant(service, operator, `t-${i}`)
    })
    const bytes = (await postgres.allBytes()) - before
    await sideBySide(keys, async (key, i) => {
      const api = new ApiClient(service.url, key, 1)
      const category = await api.category('General')
      const from = i * ENTRIES_OF_A_TENANT
      await api.importEntries(Array.from({ length: ENTRIES_OF_A_TENANT }, (_, j) => entryOf(from + j, category)))
      await api.close()
    })
    await sideBySide(keys, async (key) => {
      const api = new ApiClient(service.url, key, 1)
      await api.embedded()
      await api.close()
    })
    const filled = memoryMb(service.pid).own
    const searchAll = async (): Promise<void> =>
      sideBySide(keys, async (key, i) => {
        const api = new ApiClient(service.url, key, 1)
        await search(api, i)
        await api.close()
      })
    await searchAll()
    const indexBytes = await metricOf(service, 'search_index_bytes')
    const memory = memoryMb(service.pid).own - filled
    const searchCpu = await cpuOf(service, postgres, size, (i) => (i === 0 ? searchAll() : Promise.resolve()))
    return { size, bytes, makeCpu, searchCpu, indexBytes, memoryMb: memory }
  } finally {
    await postgres.close()
    await service.stop()
  }
}

async function operatorOf(url: string): Promise<string> {
  const database = openDatabase({ dataDir: '', databaseUrl: url })
  try {
    return (await issueOperator(database, { name: 'bench', expiresAt: null })).key
  } finally {
    await database.close()
  }
}

async function makeTenant(service: ServiceProcess, operator: string, id: string): Promise<string> {
  const response = await fetch(`${service.url}/api/operator/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, reference: id, settings: { language: 'en' }, api_key: { name: 'First key' } }),
  })
  const body = (await response.json()) as { api_key?: { key: string } }
  if (body.api_key === undefined) throw new Error(`Making ${id} answered ${response.status}: ${JSON.stringify(body)}`)
  return body.api_key.key
}

async function sideBySide(keys: readonly string[], work: (key: string, i: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let i = next++; i < keys.length; i = next++) await work(keys[i], i)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
}

interface Cpu {
  readonly serviceMs: number
  readonly postgresMs: number
}

/** Returns the processor time of each of several calls, one after the other. */
async function cpuOf(
  service: ServiceProcess,
  postgres: PostgresFigures,
  count: number,
  call: (i: number) => Promise<unknown>,
): Promise<Cpu> {
  const before = { service: cpuSeconds(service.pid), postgres: postgres.cpuSeconds() }
  for (let i = 0; i < count; i++) await call(i)
  return {
    serviceMs: ((cpuSeconds(service.pid) - before.service) * 1_000) / count,
    postgresMs: ((postgres.cpuSeconds() - before.postgres) * 1_000) / count,
  }
}

function search(api: ApiClient, i: number): Promise<unknown> {
  const query = corpus.queries[i % corpus.queries.length]
  return api.call('POST', '/knowledge-entries/search', { query, mode: 'hybrid' })
}

function entryOf(i: number, category: string): object {
  return { ...corpus.entries[i], category: undefined, category_id: category }
}
