import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

/** The first search after a restart. */
export interface RestartFigures {
  readonly searchMs: number
  /** Milliseconds that the index took during the search, or before it, where the start had begun to read it. */
  readonly indexMs: number
  /** Processor time of the service until the answer, in seconds. */
  readonly cpuS: number
  /** Resident memory of the service with the answer, without mapped files. */
  readonly memoryMb: number
}

/** The restart in the middle of several, with the spread of all. */
export interface Restarts extends RestartFigures {
  readonly shortestMs: number
  readonly longestMs: number
}

export interface RestartReport {
  readonly machine: MachineFacts
  readonly rows: readonly {
    readonly size: number
    readonly snapshotMb: number
    readonly database: Restarts
    /** Restarts with a snapshot; null for an empty tenant, which has none. */
    readonly snapshot: Restarts | null
    /** Whether the search gave the same answer with a snapshot and without. */
    readonly areSame: boolean
  }[]
  readonly requirements: readonly Requirement[]
}

/** Milliseconds that the first search may take, by entries. */
const WITHIN_MS: Readonly<Record<number, number>> = { 1_000: 100, 20_000: 1_000, 100_000: 1_000 }

export function judgeRestarts(rows: RestartReport['rows']): Requirement[] {
  const times = rows
    .flatMap(({ size, snapshot }) => (snapshot === null ? [] : [{ size, ...snapshot }]))
    .filter(({ size }) => size in WITHIN_MS)
    .map(({ size, searchMs }) => ({
      what: `${grouped(size)} entries: the first search within ${grouped(WITHIN_MS[size])} ms, from a snapshot`,
      measured: `${grouped(Math.round(searchMs))} ms`,
      met: searchMs <= WITHIN_MS[size],
    }))
  const areSame = rows.every((row) => row.areSame)
  return [...times, { what: 'the same answers from both', measured: areSame ? 'the same' : 'others', met: areSame }]
}

export function restartHeadline({ rows }: RestartReport): string {
  const { size, snapshot, database } = rows.at(-1)!
  return `${grouped((snapshot ?? database).searchMs)} ms with ${grouped(size)} entries`
}

/** Returns the report as Markdown. */
export function restartText({ machine, rows, requirements }: RestartReport): string {
  const cells = rows.flatMap(({ size, snapshotMb, database, snapshot }) => [
    cellsOf(size, 'database', database, ''),
    ...(snapshot === null ? [] : [cellsOf(size, 'snapshot', snapshot, grouped(Math.round(snapshotMb)))]),
  ])
  return [
    '## Restart',
    '`npm run bench:restart` fills one tenant with entries of about 120 words, waits until its index lies on disk, and starts the service anew: without snapshots, and with them. A hybrid search is sent as soon as the service says that it is ready; its answer comes from an index built from the database, or read from the snapshot. Each line is the restart in the middle of several; the fourth column has the shortest and the longest search. The processor time is that of the whole service until the answer. The first search of an empty tenant shows what a start takes in any case. The files are in the memory of the operating system.',
    table(
      ['entries', 'index from', 'first search ms', 'in all rounds', 'index ms', 'CPU s', 'resident MB', 'file MB'],
      cells,
    ),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}

function cellsOf(size: number, from: string, figures: Restarts, fileMb: string): (string | number)[] {
  const { searchMs, shortestMs, longestMs, indexMs, memoryMb } = figures
  const [search, shortest, longest, index, memory] = [searchMs, shortestMs, longestMs, indexMs, memoryMb].map((each) =>
    grouped(Math.round(each)),
  )
  return [grouped(size), from, search, `${shortest} to ${longest}`, index, fixed(figures.cpuS, 2), memory, fileMb]
}
