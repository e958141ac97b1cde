/**
 * Measures what the contextual model takes: the resident memory of a service that searches without it, of one that has
 * it loaded, at rest and while it reads, and of the same one an hour after its last text, when it was given back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { EmbeddingStatus } from '../src/embedding/contract.ts'
import { makeCorpus } from './search-corpus.ts'
import { ApiClient } from './support/api-client.ts'
import { machineFacts, machineText } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { fixed, table } from './support/table.ts'

const USAGE = `Usage: npm run bench:reader-memory -- [options]

  --pages N      pages to read (default 500)
  --seconds N    seconds of rest before the memory is read (default 40)
`
const SHORT_HOURS = new URL('reader-memory/short-hours.ts', import.meta.url).href
const SAMPLE_MS = 100
const PER_IMPORT = 100

/** Megabytes of a moment: all that is resident, and that without mapped files. */
type Memory = ReturnType<typeof memoryMb>

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '40' },
      help: { type: 'boolean', default: false },
    },
  })
  const [pages, seconds] = [Number(values.pages), Number(values.seconds)]
  if (values.help || !(Number.isSafeInteger(pages) && pages > 0 && seconds > 0)) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  const rows: string[][] = []
  for (const model of ['static-de-en-v2', 'both']) {
    for (const [moment, { now, own }] of await measure(model, pages, seconds * 1_000))
      rows.push([model, moment, fixed(now, 0), fixed(own, 0)])
  }
  console.log(machineText(machineFacts()))
  console.log(table(['model', 'moment', 'resident MB', 'without mapped files MB'], rows))
  return 0
}

/** Imports pages, searches, and rests. @returns the memory of a service by moments */
async function measure(model: string, pages: number, restMs: number): Promise<[string, Memory][]> {
  // The hour begins again with each text, and must not be over before the rest is.
  const shortHour = { SHORT_HOUR_MS: String(2 * restMs) }
  const service = await startServiceProcess({ EMBEDDING_MODEL: model, ...shortHour }, ['--import', SHORT_HOURS])
  try {
    await sleep(restMs)
    const atStart = memoryMb(service.pid)
    const peak = await watchedPeak(service, () => readPages(service, pages))
    await sleep(restMs)
    const loaded = memoryMb(service.pid)
    const after = async (): Promise<Memory> => {
      await sleep(3 * restMs)
      return memoryMb(service.pid)
    }
    return [
      ['at the start', atStart],
      [`most, while ${pages} pages are read`, peak],
      ['at rest after that', loaded],
      ['an hour later', await after()],
    ]
  } finally {
    await service.stop()
  }
}

async function readPages(service: ServiceProcess, pages: number): Promise<void> {
  const { key } = await service.tenant('reader')
  const api = new ApiClient(service.url, key)
  const { entries, queries } = makeCorpus(pages, 20)
  const category_id = await api.category('Pages')
  for (let from = 0; from < pages; from += PER_IMPORT) {
    const some = entries.slice(from, from + PER_IMPORT)
    await api.importEntries(some.map((page) => ({ ...page, category_id, category: undefined })))
  }
  while ((await api.call<EmbeddingStatus>('GET', '/embedding-status')).pending > 0) await sleep(SAMPLE_MS)
  for (const query of queries) await api.call('POST', '/knowledge-entries/search', { query, mode: 'hybrid' })
  await api.close()
}

/** Returns the largest memory of the service while work is done, by what is resident without mapped files. */
async function watchedPeak({ pid }: ServiceProcess, work: () => Promise<void>): Promise<Memory> {
  let peak = memoryMb(pid)
  const timer = setInterval(() => {
    const memory = memoryMb(pid)
    if (memory.own > peak.own) peak = memory
  }, SAMPLE_MS)
  await work()
  clearInterval(timer)
  return peak
}
