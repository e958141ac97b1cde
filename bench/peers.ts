/**
 * Measures the service beside the engines that its users would otherwise take: pgvector, zvec, LanceDB, Orama and
 * MiniSearch, each behind a server of its own that does the same work. One run, one machine, equal recall.
 */
import { parseArgs } from 'node:util'
import { type Collection, FILTER_SHARES } from './peers/collection.ts'
import { PEERS } from './peers/contestant.ts'
import { drawnCollection } from './peers/drawn.ts'
import { installPeers } from './peers/install.ts'
import { passageCollection, readPassages } from './peers/passages.ts'
import { performanceText, writePerformance } from './peers/performance.ts'
import type { GroupReport, PeersReport } from './peers/report.ts'
import { measureGroup } from './peers/run.ts'
import { readReport, saveReport } from './support/document.ts'

const USAGE = `Usage: npm run bench -- [options]

  --sizes N,N    entries (default 10000,100000; a million takes hours and 24 GB)
  --parts P,P    drawn (made-up entries), passages (real text), tenants (the entries of many tenants); default all
  --peers P,P    only these: ${PEERS.map(({ name }) => name).join(', ')}
  --tenants N    how many tenants there are in that part (default 1000)
  --quick        one short round of each load
  --write        save the figures and write docs/performance.md; other sizes and parts of the last run stay
`
const PARTS = ['drawn', 'passages', 'tenants']
const QUERIES = 2_000

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000' },
      parts: { type: 'string', default: PARTS.join(',') },
      peers: { type: 'string', default: PEERS.map(({ name }) => name).join(',') },
      tenants: { type: 'string', default: '1000' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const sizes = values.sizes.split(',').map(Number)
  const parts = values.parts.split(',')
  const names = values.peers.split(',')
  const tenants = Number(values.tenants)
  const isKnown =
    sizes.every((size) => Number.isSafeInteger(size) && size >= 1_000) &&
    Number.isSafeInteger(tenants) &&
    parts.every((part) => PARTS.includes(part)) &&
    names.every((name) => PEERS.some((peer) => peer.name === name))
  if (values.help || !isKnown) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  installPeers()
  const options = {
    peers: PEERS.filter(({ name }) => names.includes(name)),
    rounds: values.quick ? 1 : 3,
    load: values.quick ? { warmUpMs: 300, measureMs: 1_000 } : { warmUpMs: 400, measureMs: 1_600 },
    filters: FILTER_SHARES,
  }
  const passages = parts.includes('passages') ? readPassages(Math.max(...sizes) + QUERIES) : []
  const groups: GroupReport[] = []
  const skipped: string[] = []
  for (const size of sizes) {
    const drawn = (folder: string): Collection => drawnCollection(size, QUERIES, folder)
    if (parts.includes('drawn')) groups.push(await measureGroup(drawn, 1, options))
    if (parts.includes('passages') && passages.length >= size + QUERIES) {
      groups.push(await measureGroup(() => passageCollection(passages, size, QUERIES), 1, options))
    } else if (parts.includes('passages')) {
      skipped.push(`${size} passages of real text: there were only ${passages.length} distinct ones`)
    }
    if (parts.includes('tenants') && size >= tenants) {
      const ofTenants = options.peers.filter(({ name }) => name === 'pgvector')
      groups.push(await measureGroup(drawn, tenants, { ...options, peers: ofTenants }))
    }
  }
  for (const line of skipped) process.stderr.write(`Skipped: ${line}\n`)
  const report: PeersReport = { passages: passages.length, groups, skipped }
  console.log(performanceText(report))
  if (values.write) {
    const merged = mergedWith(readReport('peers') as PeersReport | null, report)
    saveReport('peers', merged)
    writePerformance(merged)
  }
  return 0
}

/** The groups of the last run that this one did not measure stay. */
function mergedWith(before: PeersReport | null, report: PeersReport): PeersReport {
  if (before === null) return report
  const keyOf = ({ collection, size, tenants }: GroupReport): string => `${collection} ${size} ${tenants}`
  const own = new Set(report.groups.map(keyOf))
  return {
    ...report,
    passages: Math.max(report.passages, before.passages),
    groups: [...before.groups.filter((group) => !own.has(keyOf(group))), ...report.groups],
  }
}
