import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LoadFigures, type LoadSizes, medianOf } from '../search-scenarios.ts'
import { LoadProcess } from '../support/load.ts'
import { machineFacts } from '../support/machine.ts'
import { endProcess, readyLine } from '../support/service-process.ts'
import { type Collection, type FilterShare, filterOf, keeping, type Question } from './collection.ts'
import { type Contestant, type Peer, startPeer } from './contestant.ts'
import { ExactAnswers } from './exact.ts'
import { writeFiles } from './files.ts'
import { answersOf, JUDGED, measure } from './measure.ts'
import { type Ours, startOurs } from './ours.ts'
import type { GroupReport, PairReport, PeerReport } from './report.ts'
import { tune, type Tuned } from './tune.ts'
import { laddersOf, tuningText } from './tunings.ts'

export interface RunOptions {
  readonly peers: readonly Peer[]
  readonly rounds: number
  readonly load: LoadSizes
  readonly filters: readonly FilterShare[]
}

/** Filters with which searches by words are measured; they are few, to save time. */
const WORD_FILTERS: ReadonlySet<FilterShare> = new Set([100, 10])
const WARM_UP = { warmUpMs: 0, measureMs: 3_000 }

/** Everything that runs while a collection is measured. */
interface Bench {
  readonly options: RunOptions
  readonly collection: Collection
  readonly tenants: number
  readonly folder: string
  readonly embeddingUrl: string | null
  readonly load: LoadProcess
  readonly ours: Ours
}

/** The questions, and the measure of an answer's quality. */
interface Test {
  readonly name: PairReport['test']
  readonly questions: readonly Question[]
  readonly judge: (answers: readonly (readonly number[])[]) => number
}

/**
 * Measures the service and its peers with one collection, each peer in the same minutes as the service.
 * @param make makes the collection; it may keep files in the folder
 * @param tenants number of tenants that the entries belong to in turns
 * @param save receives the measurements so far, after each peer, because a run may be cut off
 */
export async function measureGroup(
  make: (folder: string) => Collection,
  tenants: number,
  options: RunOptions,
  save: (group: GroupReport) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-peers-'))
  const open: (() => Promise<void>)[] = []
  try {
    const collection = make(folder)
    const size = collection.entries.length
    say(`${size} entries (${collection.name}), tenants: ${tenants}: loading the service`)
    const stub = collection.vectorFile === null ? null : await startVectors(collection.vectorFile)
    if (stub !== null) open.push(() => endProcess(stub.child))
    const embeddingUrl = stub?.url ?? null
    const ours = await startOurs(collection, embeddingUrl, tenants)
    open.push(() => ours.stop())
    await writeFiles(folder, collection, ours.template)
    const load = new LoadProcess()
    open.push(() => load.close())
    const bench = { options, collection, tenants, folder, embeddingUrl, load, ours }
    const tests = testsOf(bench)
    // Until its code is compiled, the service is slower; a peer is asked as much while it is tuned.
    for (const { questions } of tests.vectors) await measure(load, ours, questions, WARM_UP)
    const pairs: PairReport[] = []
    const peers: PeerReport[] = []
    const leftOut: { name: string; why: string }[] = []
    for (const peer of options.peers) {
      try {
        const measured = await measurePeer(bench, peer, tests)
        pairs.push(...measured.pairs)
        peers.push(measured.peer)
      } catch (error) {
        say(`  ${peer.name} is left out: ${(error as Error).message}`)
        leftOut.push({ name: peer.name, why: reasonOf(error as Error) })
      }
      save({ collection: collection.name, size, tenants, loadSeconds: ours.loadSeconds, peers, pairs, leftOut })
    }
  } finally {
    for (const close of open.reverse()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns one test for each filter; with many tenants, the tenant is the filter. */
function testsOf({ collection, tenants, options }: Bench): { vectors: Test[]; words: Test[] } {
  const { queries, phrases } = collection
  const shares = tenants === 1 ? options.filters : ([100] as const)
  const filterFor = (share: FilterShare, query: number) =>
    tenants === 1 ? filterOf(share, query) : ({ field: 'tenant', value: query % tenants } as const)
  const judged = queries.slice(0, JUDGED)
  const filters = judged.map((_, q) => shares.map((share) => filterFor(share, q)))
  const exact = new ExactAnswers(collection, judged, filters, tenants)
  const nameOf = (share: FilterShare): PairReport['test'] => (tenants === 1 ? `${share}` : 'tenant')
  return {
    vectors: shares.map((share, i) => ({
      name: nameOf(share),
      questions: queries.map((words, q) => ({ words, filter: filterFor(share, q) })),
      judge: (answers) => exact.recall(i, answers),
    })),
    words: shares
      .filter((share) => WORD_FILTERS.has(share))
      .map((share) => ({
        name: nameOf(share),
        questions: phrases.map(({ words, entry }) => ({ words, filter: keeping(share, entry) })),
        judge: (answers) => answers.filter((answer, q) => answer.includes(phrases[q].entry)).length / answers.length,
      })),
  }
}

async function measurePeer(
  bench: Bench,
  peer: Peer,
  tests: Record<'vectors' | 'words', Test[]>,
): Promise<{ readonly pairs: PairReport[]; readonly peer: PeerReport }> {
  const { collection, folder, tenants, embeddingUrl, load, ours } = bench
  const { dimensions, entries } = collection
  say(`  ${peer.name}: loading`)
  const settings = { folder, dimensions, tenants, embeddingUrl, entries: entries.length }
  const contestant = await startPeer(peer, settings)
  try {
    const own = peer.asks === 'vectors' ? ours : ours.byWords
    const pairs: PairReport[] = []
    let memoryMb = 0
    for (const { name, questions, judge } of tests[peer.asks]) {
      const ladders = laddersOf(peer.name, name === 'tenant' ? name : (Number(name) as FilterShare), entries.length)
      const tuned = await tune(contestant, ladders, load, questions, JUDGED, judge)
      const oursRecall = judge(await answersOf(own, questions.slice(0, JUDGED)))
      const figures = await inTurns(bench, own, contestant, questions)
      memoryMb = figures.peer.memoryMb
      const pair = pairOf(peer, name, tuned, oursRecall, figures)
      pairs.push(pair)
      say(`    ${name}: ${lineOf(pair)}`)
    }
    const { loadSeconds } = contestant
    return { pairs, peer: { name: peer.name, loadSeconds, memoryMb, machine: machineFacts() } }
  } finally {
    await contestant.stop()
  }
}

/** Measures in rounds that alternate, so that other work on the machine affects both alike. */
async function inTurns(
  { options, load }: Bench,
  ours: Contestant,
  peer: Contestant,
  questions: readonly Question[],
): Promise<{ ours: LoadFigures; peer: LoadFigures }> {
  const rounds = { ours: [] as LoadFigures[], peer: [] as LoadFigures[] }
  for (let round = 0; round < options.rounds; round++) {
    rounds.ours.push(await measure(load, ours, questions, options.load))
    rounds.peer.push(await measure(load, peer, questions, options.load))
  }
  return { ours: medianOf(rounds.ours), peer: medianOf(rounds.peer) }
}

function pairOf(
  { name, asks }: Peer,
  test: PairReport['test'],
  { tuning, recall, others }: Tuned,
  oursRecall: number,
  figures: { ours: LoadFigures; peer: LoadFigures },
): PairReport {
  const { perSecond, p50Ms, p99Ms, cpuPer1000 } = figures.peer
  return {
    peer: name,
    asks,
    test,
    tuning: tuningText(tuning),
    others: others.map((other) => ({ ...other, tuning: tuningText(other.tuning) })),
    ours: { ...figures.ours, recall: oursRecall },
    theirs: { perSecond, p50Ms, p99Ms, cpuPer1000, recall },
  }
}

function lineOf({ tuning, ours, theirs }: PairReport): string {
  const one = ({ cpuPer1000, p50Ms, recall }: PairReport['theirs']): string =>
    `${cpuPer1000.toFixed(2)} s, p50 ${p50Ms.toFixed(2)} ms, recall ${recall.toFixed(4)}`
  return `ours ${one(ours)}; theirs ${one(theirs)} (${tuning})`
}

async function startVectors(file: string): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('../search-stub.ts', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, url: await readyLine(child, /ready at (\S+)/) }
}

/** Returns the line of a message, or of the output in it, that names the fault, without the paths in it. */
function reasonOf({ message }: Error): string {
  const lines = (/"message":"([^"]*)"/.exec(message)?.[1] ?? message).split('\n').map((line) => line.trim())
  const line = lines.find((each) => /^\w*(Error|FATAL)\b/.test(each)) ?? lines[0]
  return line.replaceAll(/,?(?: imported from)? *(?:file:\/\/)?\/[\w./:@-]{8,}/g, '').slice(0, 200)
}

function say(what: string): void {
  process.stderr.write(`${what}\n`)
}
