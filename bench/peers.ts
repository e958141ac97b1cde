/**
 * Measures the service beside the engines that its users would otherwise take: pgvector, zvec, LanceDB, Orama and
 * MiniSearch, each behind a server of its own that does the same work. One machine, the same minutes, equal recall.
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

  --sizes N,N    entries (default 10000,100000; a million takes hours, 24 GB of memory, and NODE_OPTIONS=--max-old-space-size=8192)
  --parts P,P    drawn (made-up entries), passages (real text), tenants (the entries of many tenants); default all
  --peers P,P    only these, in this order: ${PEERS.map(({ name }) => name).join(', ')}
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
    peers: names.map((wanted) => PEERS.find(({ name }) => name === wanted)!),
    rounds: values.quick ? 1 : 3,
    load: values.quick ? { warmUpMs: 300, measureMs: 1_000 } : { warmUpMs: 400, measureMs: 1_600 },
    filters: FILTER_SHARES,
  }
  const passages = parts.includes('passages') ? readPassages(Math.max(...sizes) + QUERIES) : []
  const groups = new Map<string, GroupReport>()
  const skipped: string[] = []
  const reportOf = (): PeersReport => ({ passages: passages.length, groups: [...groups.values()], skipped })
  const before = readReport('peers') as PeersReport | null
  const save = (group: GroupReport): void => {
    groups.set(keyOf(group), group)
    if (values.write) saveReport('peers', mergedWith(before, reportOf()))
  }
  for (const size of sizes) {
    const drawn = (folder: string): Collection => drawnCollection(size, QUERIES, folder)
    if (parts.includes('drawn')) await measureGroup(drawn, 1, options, save)
    if (parts.includes('passages') && passages.length >= size + QUERIES) {
      await measureGroup(() => passageCollection(passages, size, QUERIES), 1, options, save)
    } else if (parts.includes('passages')) {
      skipped.push(
        `${size} passages of real text: with ${QUERIES} queries they need ${size + QUERIES} distinct ones, and there were ${passages.length}`,
      )
    }
    if (parts.includes('tenants') && size >= tenants) {
      const ofTenants = options.peers.filter(({ name }) => name === 'pgvector')
      await measureGroup(drawn, tenants, { ...options, peers: ofTenants }, save)
    }
  }
  console.log(performanceText(reportOf()))
  for (const line of skipped) process.stderr.write(`Skipped: ${line}\n`)
  if (values.write) {
    const merged = mergedWith(before, reportOf())
    saveReport('peers', merged)
    writePerformance(merged)
  }
  return 0
}

/** Returns the key of a group: its collection, size and number of tenants. */
function keyOf({ collection, size, tenants }: GroupReport): string {
  return `${collection} ${size} ${tenants}`
}

/**
 * Returns a report that also has the measurements of the last run which this run left out: other groups, and other
 * peers of a group.
 */
function mergedWith(before: PeersReport | null, report: PeersReport): PeersReport {
  if (before === null) return report
  const earlier = new Map(before.groups.map((group) => [keyOf(group), group]))
  const own = report.groups.map((group) => {
    const old = earlier.get(keyOf(group))
    earlier.delete(keyOf(group))
    const isAnew = (peer: string): boolean =>
      group.pairs.some((pair) => pair.peer === peer) || group.leftOut.some(({ name }) => name === peer)
    return {
      ...group,
      peers: [...(old?.peers.filter(({ name }) => !isAnew(name)) ?? []), ...group.peers],
      pairs: [...(old?.pairs.filter(({ peer }) => !isAnew(peer)) ?? []), ...group.pairs],
      leftOut: [...(old?.leftOut.filter(({ name }) => !isAnew(name)) ?? []), ...group.leftOut],
    }
  })
  const groups = [...earlier.values(), ...own]
  groups.sort((a, b) => a.size - b.size || a.tenants - b.tenants || (a.collection < b.collection ? -1 : 1))
  return { ...report, passages: Math.max(report.passages, before.passages), groups }
}
