import { type MachineFacts, machineText } from '../support/machine.ts'
import { type Requirement, requirementsText } from '../support/requirements.ts'
import { fixed, grouped, table } from '../support/table.ts'

const RESIDENT_MB_MAX = 130
/** Share by which a start or a first search may be slower than before. */
const SLOWER_MAX = 0.1

/** Memory of a thread in megabytes; see `ThreadReport`. */
interface ThreadMemory {
  readonly thread: string
  readonly heapUsed: number
  readonly heap: number
  readonly malloced: number
  readonly external: number
}

export interface MemoryRun {
  readonly residentMb: number
  /** Resident memory without mapped files. */
  readonly ownMb: number
  readonly threads: readonly ThreadMemory[]
}

export interface StartRun {
  /** Milliseconds until the service says that it is ready. */
  readonly readyMs: number
  /** Milliseconds of the first search after that. */
  readonly searchMs: number
}

/** What was measured of a version of the program. */
export interface IdleVersion {
  /** Says which program it is, to readers who do not know when it was measured. */
  readonly name: string
  readonly memory: readonly MemoryRun[]
  readonly starts: readonly StartRun[]
}

export interface IdleMemoryReport {
  readonly machine: MachineFacts
  readonly seconds: number
  readonly versions: readonly IdleVersion[]
  readonly requirements: readonly Requirement[]
}

export function judgeIdleMemory(versions: readonly IdleVersion[]): Requirement[] {
  const now = versions.at(-1)!
  const resident = medianOf(now.memory.map(({ residentMb }) => residentMb))
  const requirements: Requirement[] = [
    {
      what: `resident memory at most ${RESIDENT_MB_MAX} MB`,
      measured: `${grouped(resident)} MB`,
      met: resident <= RESIDENT_MB_MAX,
    },
  ]
  if (versions.length === 1 || now.starts.length === 0) return requirements
  for (const [what, of] of [
    ['a start', ({ readyMs }: StartRun) => readyMs],
    ['a first search', ({ searchMs }: StartRun) => searchMs],
  ] as const) {
    const [before, after] = [versions[0], now].map(({ starts }) => medianOf(starts.map(of)))
    const slower = after / before - 1
    requirements.push({
      what: `${what} at most ${SLOWER_MAX * 100} percent slower than before`,
      measured: `${fixed(slower * 100, 1)} percent`,
      met: slower <= SLOWER_MAX,
    })
  }
  return requirements
}

export function idleMemoryHeadline({ versions }: IdleMemoryReport): string {
  return `${grouped(medianOf(versions.at(-1)!.memory.map(({ residentMb }) => residentMb)))} MB resident at rest`
}

export function idleMemoryText({ machine, seconds, versions, requirements }: IdleMemoryReport): string {
  const wholes = versions.map(({ name, memory, starts }) => [
    name,
    fixed(medianOf(memory.map(({ residentMb }) => residentMb)), 0),
    fixed(medianOf(memory.map(({ ownMb }) => ownMb)), 0),
    ...(starts.length === 0
      ? ['', '']
      : [
          fixed(medianOf(starts.map(({ readyMs }) => readyMs)), 0),
          fixed(medianOf(starts.map(({ searchMs }) => searchMs)), 1),
        ]),
  ])
  const parts = versions.flatMap(({ name, memory }) => partsOf(memory).map((cells) => [name, ...cells]))
  return `## Memory at rest

\`npm run bench:idle\` starts the service on an empty folder and reads its memory ${seconds} seconds later, without any request. Mapped files, most of them Node itself, are shared with other processes of the same program, and the system may take them back.

${table(['version', 'resident MB', 'of it not mapped from files', 'start ms', 'first search ms'], wholes)}

Where it goes, thread by thread, in MB: pages of V8's heap and what is used of them, what V8 allocated beside it, and buffers. What is left are mapped files, code and tables of Node that all threads share, SQLite, stacks, and what the allocator keeps.

${table(['version', 'part', 'heap', 'used', 'beside it', 'buffers'], parts)}

${requirementsText(requirements)}

${machineText(machine)}`
}

/** Returns a row for each thread, and one for what is left. */
function partsOf(memory: readonly MemoryRun[]): string[][] {
  const names = [...new Set(memory.flatMap(({ threads }) => threads.map(({ thread }) => thread)))]
  const rows = names.map((name) => {
    const of = (field: Exclude<keyof ThreadMemory, 'thread'>): number =>
      medianOf(
        memory.flatMap(({ threads }) => threads.filter(({ thread }) => thread === name).map((one) => one[field])),
      )
    return { name, heap: of('heap'), used: of('heapUsed'), malloced: of('malloced'), external: of('external') }
  })
  const known = rows.reduce((sum, { heap, malloced, external }) => sum + heap + malloced + external, 0)
  const own = medianOf(memory.map(({ ownMb }) => ownMb))
  const resident = medianOf(memory.map(({ residentMb }) => residentMb))
  return [
    ...rows.map(({ name, heap, used, malloced, external }) => [
      `thread ${name}`,
      ...[heap, used, malloced, external].map((mb) => fixed(mb, 1)),
    ]),
    ['shared by threads', fixed(Math.max(0, own - known), 1), '', '', ''],
    ['mapped files', fixed(resident - own, 1), '', '', ''],
  ]
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
