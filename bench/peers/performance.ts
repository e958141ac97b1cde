import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { medianOf } from '../search-scenarios.ts'
import { machineText } from '../support/machine.ts'
import { fixed, grouped, table } from '../support/table.ts'
import { PEERS } from './contestant.ts'
import { JUDGED, PATIENCE_MS } from './measure.ts'
import { OURS } from './ours.ts'
import { ratioChart } from './ratio-chart.ts'
import type { GroupReport, PairReport, PeersReport } from './report.ts'
import { RECALL, TRIAL } from './tune.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

interface Chart {
  readonly file: string
  readonly alt: string
  readonly svg: string
}

/** Writes docs/performance.md and its charts. */
export function writePerformance(report: PeersReport): void {
  mkdirSync(`${DOCS}images`, { recursive: true })
  for (const { file, svg } of report.groups.flatMap(chartsOf)) writeFileSync(DOCS + file, svg)
  writeFileSync(`${DOCS}performance.md`, `${performanceText(report)}\n`)
}

/** Returns the text of docs/performance.md. */
export function performanceText({ groups, passages, skipped }: PeersReport): string {
  return [
    '# Performance beside other engines',
    'What a search costs here, and what it costs with the engines that one would otherwise take. `npm run bench -- --write` measures each of them beside the service, on one machine and in the same minutes, and writes this page. The machine stands under each section; machines differ, so compare ratios, not times.',
    '## In short',
    `Processor time of a search, as a multiple of the ${OURS}'s in the same minutes: 2.00 is twice as much, 0.50 half as much. Orama and MiniSearch are asked by words. They demand all words of a query, where the service also ranks entries that have some of them, so they mostly find the entry that the query was taken from more often (“found” in the tables below). The others are asked by meaning, with a recall of ${RECALL} or the best that they reach.`,
    summaryTable(groups),
    '## What was compared',
    [
      '- **pgvector by itself**, as one would put it behind an application. How the service searches a large tenant with pgvector is [another matter](how-it-works/pgvector.md), and so is [what that takes](how-it-works/pgvector.md#measured).',
      '- **The same work.** Every engine stands behind an HTTP server of its own. It is posted the words of a query and perhaps a filter, embeds the words by the same code, and answers ten whole entries as JSON. Eight connections each send the next search when the last was answered.',
      `- **More work here.** The ${OURS} also checks an API key, who may see each entry, and the tenant, and reads entries from its database (SQLite). The peers do none of it: their server joins stored JSON as text.`,
      '- **In the same minutes.** A load of the service alternates with one of the peer, and the ratio is that of the medians. The service is measured anew beside each peer; its own rows show the median of all, so a ratio need not follow from the rows above it.',
      '- **Filters** leave 50, 10 or 1 percent of the entries. The value changes from query to query.',
      `- **Recall** is the share of right hits among the first ten of ${grouped(JUDGED)} queries. Right are the hits of an exact comparison with all entries that pass the filter. Of an engine that takes more than ${PATIENCE_MS / 1_000} seconds for them, only the first are judged.`,
      '- **CPU** is the processor time of the server with all its threads, and for pgvector that of PostgreSQL too, per 1,000 searches.',
      '- **Memory** is what is resident at the end: of a process with the files that it has mapped, of PostgreSQL with pages that its processes share counted once. The page cache of the system counts nowhere.',
      '- **Loading** ends when all entries can be searched. The service imports over HTTP, embeds and stores versions; a peer reads the entries with their vectors from a file.',
    ].join('\n'),
    '### What was tuned',
    [
      `- Each peer is tuned for each filter and size, up to a recall of ${RECALL}: of each way to search, the first setting that reaches it, and of those the one that took the least processor time in a load of ${TRIAL.measureMs / 1_000} seconds. Where none does, it is the best. The tables show the setting and the recall that it reached; “Ways not taken” show what the others took in that short load, so on a busy machine a way not taken may look cheaper than the one in the table. The service has no such setting.`,
      '- **pgvector**: HNSW over inner products (`m = 32`, `ef_construction = 400`) with `ef_search` from 10 to 1,000 and, under a filter, iterative scans in strict order (“scanned” is their `hnsw.max_scan_tuples`); or exact search, by a B-tree where there is a filter. Vectors lie beside their rows (`storage plain`) and are sent in binary. `shared_buffers` and `maintenance_work_mem` are 4 GB, `jit` is off; nothing waits for the disk (`fsync=off`).',
      '- **zvec**: HNSW over inner products (`m` 50, `efConstruction` 500, its defaults) with `ef` from 10 to 1,000, or linear search; inverted indexes for filters.',
      '- **LanceDB**: HNSW over scalar-quantised vectors (`m` 32, `efConstruction` 400), one graph for each 250,000 entries, all of them asked (“probes”), with `ef` up to 1,000 and two or five times the wanted hits (“refine”) compared by their whole vectors; or search without that index. Bitmap indexes for filters.',
      '- **Orama** and **MiniSearch** search by words, and are compared with keyword search here. They find entries with all words of a query, or with some of them; Orama whole words (`exact`) or also words that begin so. Whichever finds more is measured.',
    ].join('\n'),
    '### What was not tuned',
    [
      '- Graphs were built with one setting each. Other numbers of links could reach the recall with fewer steps, or with less memory and loading.',
      '- Indexes for one filter alone (partial indexes, partitions), vectors of half precision, and pgvector’s IVFFlat, zvec’s and LanceDB’s other quantisations and indexes were left out.',
      '- Threads are those that each engine starts by itself. All servers are written in TypeScript, since the service is; a client in C or Rust could take less.',
      '- By words every engine ranks in its own way, so there is no exact answer. “Found” is the share of queries whose entry is among the ten: a query is three to six words that stand beside each other in one entry.',
    ].join('\n'),
    '### What was searched',
    [
      '- **Made-up entries** have about 120 words, drawn from `bench/words.txt`, and vectors of 384 dimensions that depend on the text. A server beside looks vectors up, and every engine asks it for each query with the same client.',
      `- **Real text** is distinct passages of Debian's documentation packages (manual pages, handbooks, references, dictionaries) and package descriptions, of 400 to 1,100 characters (${grouped(passages)} were read, of which the entries are drawn by chance). No paragraph is in two of them. Vectors are those of the built-in model, 256 dimensions, computed in each server. Queries are three to six consecutive words of passages that are not among the entries.`,
      '- **Many tenants** share the made-up entries evenly, and each query asks one tenant. pgvector has the tenant as a column with a B-tree and no graph, since few entries of a tenant are compared exactly for less than a walk past those of others takes.',
    ].join('\n'),
    ...(groups.some(({ size }) => size >= 1_000_000)
      ? []
      : [
          'Not measured: a million entries beside the peers, whose indexes alone take hours to build. What the service itself takes then is [measured in its engine](how-it-works/engine.md#measured), and what it takes [with pgvector](how-it-works/pgvector.md#measured) too.',
        ]),
    ...(skipped.length === 0 ? [] : [`Not measured: ${skipped.join('; ')}.`]),
    ...groups.flatMap(groupText),
  ].join('\n\n')
}

function summaryTable(groups: readonly GroupReport[]): string {
  const rows = groups.flatMap((group) =>
    [...new Set(group.pairs.map(({ peer }) => peer))].map((peer) => {
      const ratioAt = (test: PairReport['test']): string => {
        const pair = group.pairs.find((each) => each.peer === peer && each.test === test)
        return pair === undefined ? '' : fixed(cpuRatio(pair), 2)
      }
      const cells =
        group.tenants === 1 ? (['100', '50', '10', '1'] as const).map(ratioAt) : [ratioAt('tenant'), '', '', '']
      return [titleOf(group), peer, ...cells]
    }),
  )
  return table(['entries', 'engine', 'no filter', '50 %', '10 %', '1 %'], rows)
}

function groupText(group: GroupReport): string[] {
  const { pairs, leftOut } = group
  const kinds = [
    { asks: 'vectors' as const, heading: 'By meaning', recall: 'recall' },
    { asks: 'words' as const, heading: 'By words', recall: 'found' },
  ]
  return [
    `## ${titleOf(group)}`,
    ...unmeasuredText(group),
    ...leftOut.map(({ name, why }) => `${name} is not in these tables, since its server failed: “${why}”.`),
    ...(pairs.length === 0 ? [] : [loadTable(group), ...chartsOf(group).map(({ file, alt }) => `![${alt}](${file})`)]),
    ...kinds.flatMap(({ asks, heading, recall }) => {
      const own = pairs.filter((pair) => pair.asks === asks)
      if (own.length === 0) return []
      return [`### ${titleOf(group)}: ${heading.toLowerCase()}`, pairTable(own, recall), ...othersText(own, recall)]
    }),
    ...machineTexts(group),
  ]
}

/** Returns words about the peers that were not measured. With many tenants only pgvector is measured, on purpose. */
function unmeasuredText({ tenants, pairs, leftOut }: GroupReport): string[] {
  const listed = new Set([...pairs.map(({ peer }) => peer), ...leftOut.map(({ name }) => name)])
  const others = PEERS.map(({ name }) => name).filter((name) => !listed.has(name))
  return tenants > 1 || others.length === 0 ? [] : [`Not measured here, since it takes hours: ${others.join(', ')}.`]
}

/** Returns words about where and when the peers were measured, with the peers' names where that differs. */
function machineTexts({ peers }: GroupReport): string[] {
  const texts = Map.groupBy(peers, ({ machine }) => machineText(machine))
  if (texts.size === 1) return [...texts.keys()]
  return Array.from(texts, ([text, own]) => `${own.map(({ name }) => name).join(', ')}: ${text}`)
}

function titleOf({ collection, size, tenants }: GroupReport): string {
  const kind = collection === 'drawn' ? 'made-up entries' : 'passages of real text'
  return `${grouped(size)} ${kind}${tenants === 1 ? '' : ` of ${grouped(tenants)} tenants`}`
}

function loadTable({ pairs, peers, loadSeconds }: GroupReport): string {
  const ours = Math.max(...pairs.map((pair) => pair.ours.memoryMb))
  return table(
    ['engine', 'loading s', 'memory MB'],
    [
      [OURS, fixed(loadSeconds, 1), ours],
      ...peers.map(({ name, loadSeconds: seconds, memoryMb }) => [name, fixed(seconds, 1), memoryMb]),
    ],
  )
}

function pairTable(pairs: readonly PairReport[], recall: string): string {
  const tests = [...new Set(pairs.map(({ test }) => test))]
  const rows = tests.flatMap((test) => {
    const own = pairs.filter((pair) => pair.test === test)
    const ours = { ...medianOf(own.map((pair) => pair.ours)), recall: own[0].ours.recall }
    return [
      figuresRow(testName(test), OURS, '', ours, '1.00'),
      ...own.map((pair) => figuresRow(testName(test), pair.peer, pair.tuning, pair.theirs, fixed(cpuRatio(pair), 2))),
    ]
  })
  const head = ['filter', 'engine', 'setting', recall, 'CPU s / 1,000', 'ratio', 'p50 ms', 'p99 ms', 'per second']
  return table(head, rows)
}

function othersText(pairs: readonly PairReport[], recall: string): string[] {
  const rows = pairs.flatMap(({ peer, test, others }) =>
    others.map((other) => [testName(test), peer, other.tuning, fixed(other.recall, 4), fixed(other.cpuPer1000, 3)]),
  )
  if (rows.length === 0) return []
  return ['Ways not taken:', table(['filter', 'engine', 'setting', recall, 'CPU s / 1,000'], rows)]
}

function figuresRow(filter: string, engine: string, setting: string, figures: PairReport['theirs'], ratio: string) {
  const { recall, cpuPer1000, p50Ms, p99Ms, perSecond } = figures
  const cells = [fixed(recall, 4), fixed(cpuPer1000, 3), ratio, fixed(p50Ms, 2), fixed(p99Ms, 2), perSecond]
  return [filter, engine, setting, ...cells]
}

function testName(test: PairReport['test']): string {
  if (test === 'tenant') return 'one tenant'
  return test === '100' ? 'none' : `${test} %`
}

/** Returns charts of the processor time and the median waiting time, each relative to the service. */
function chartsOf(group: GroupReport): Chart[] {
  if (group.pairs.length === 0) return []
  const { collection, size, tenants, pairs } = group
  const base = `images/performance-${collection}-${size}${tenants === 1 ? '' : `-of-${tenants}-tenants`}`
  const peers = [...new Set(pairs.map(({ peer }) => peer))]
  const chart = (name: string, what: string, ratio: (pair: PairReport) => number): Chart => {
    const title = `${what}, ${titleOf(group)}`
    const rows = peers.map((peer) => ({
      label: peer,
      bars: pairs
        .filter((pair) => pair.peer === peer)
        .map((pair) => ({ label: testLabel(pair.test), ratio: ratio(pair) })),
    }))
    const note = `As a multiple of the ${OURS}'s: right of 1 the other engine takes more.`
    return { file: `${base}-${name}.svg`, alt: title, svg: ratioChart(title, note, rows) }
  }
  return [
    chart('cpu', 'Processor time of a search', cpuRatio),
    chart('wait', 'Median time of a search', ({ ours, theirs }) => theirs.p50Ms / ours.p50Ms),
  ]
}

function testLabel(test: PairReport['test']): string {
  if (test === 'tenant') return 'tenant'
  return test === '100' ? 'no filter' : `${test} %`
}

function cpuRatio({ ours, theirs }: PairReport): number {
  return theirs.cpuPer1000 / ours.cpuPer1000
}
