/**
 * Measures what a service takes that nobody has used yet: its resident memory a minute after the start on an empty
 * folder, and which thread it belongs to; and how long a start and its first search take, since memory must not be
 * saved at their cost. `--against FOLDER` measures another checkout of the program in turns with this one, `--name NAME`
 * and `--against-name NAME` say what the page calls the two (version and commit unless given), `--seconds N` (60) is the
 * time until the memory is read, `--rounds N` (3) is how often each is measured, `--starts N` (5) is how many starts are
 * measured in a round, 0 for none, `--write` updates docs/benchmarks.md.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readCommit } from '../src/platform/commit.ts'
import type { ThreadReport } from './idle/thread-report.ts'
import {
  type IdleMemoryReport,
  type IdleVersion,
  idleMemoryText,
  judgeIdleMemory,
  type MemoryRun,
  type StartRun,
} from './idle/report.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { memoryMb } from './support/process-figures.ts'
import { PROGRAM, startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    name: { type: 'string' },
    'against-name': { type: 'string' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const KEY = `ks_${'i'.repeat(40)}`
const REPORTER = new URL('idle/thread-report.ts', import.meta.url).href
/** Milliseconds for which threads have time to write their reports. */
const REPORTING_MS = 1_000

const against = values.against === undefined ? [] : [resolve(values.against)]
const programs = [
  ...against.map((program) => ({ program, name: values['against-name'] ?? nameOf(program) })),
  { program: PROGRAM, name: values.name ?? nameOf(PROGRAM) },
]
const versions = programs.map(({ program, name }, i) => ({
  name,
  folder: String(i),
  program,
  memory: [] as MemoryRun[],
  starts: [] as StartRun[],
}))
const root = mkdtempSync(join(tmpdir(), 'knowledge-bench-idle-'))
try {
  for (const { folder, program } of versions) await fill(join(root, folder), program)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const version of versions) {
      for (let start = 0; start < Number(values.starts); start++) version.starts.push(await measureStart(version))
      version.memory.push(await measureMemory(version.program))
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
const measured: IdleVersion[] = versions.map(({ name, memory, starts }) => ({ name, memory, starts }))
const report: IdleMemoryReport = {
  machine: machineFacts(),
  seconds: Number(values.seconds),
  versions: measured,
  requirements: judgeIdleMemory(measured),
}
console.log(idleMemoryText(report))
if (values.write) {
  saveReport('idle-memory', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

/** Names a program by its version and commit, since a page is read long after the other checkout is gone. */
function nameOf(program: string): string {
  const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as { version: string }
  const commit = readCommit(program)
  return commit === null ? version : `${version}, ${commit.slice(0, 8)}`
}

/** Makes a folder with an entry, for the starts. */
async function fill(dataDir: string, program: string): Promise<void> {
  mkdirSync(dataDir)
  const service = await startServiceProcess({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: KEY }, [], [], program)
  const api = new ApiClient(service.url, KEY)
  const category_id = await api.category('Notes')
  await api.call('POST', '/knowledge-entries', { title: 'Note', content: 'It rests.', category_id })
  await api.embedded()
  await api.close()
  await service.stop()
}

async function measureStart({
  folder,
  program,
}: {
  readonly folder: string
  readonly program: string
}): Promise<StartRun> {
  const began = performance.now()
  const service = await startServiceProcess({ DATA_DIR: join(root, folder) }, [], [], program)
  const readyMs = performance.now() - began
  try {
    const api = new ApiClient(service.url, KEY, 1)
    const searched = performance.now()
    await api.call('POST', '/knowledge-entries/search', { query: 'a note that rests', mode: 'hybrid' })
    const searchMs = performance.now() - searched
    await api.close()
    return { readyMs, searchMs }
  } finally {
    await service.stop()
  }
}

/** Starts the service on an empty folder, and reads its memory when it has rested. */
async function measureMemory(program: string): Promise<MemoryRun> {
  const reports = mkdtempSync(join(root, 'reports-'))
  const afterMs = Number(values.seconds) * 1_000
  const settings = { THREAD_REPORTS: reports, THREAD_REPORTS_AFTER_MS: String(afterMs) }
  const plain = await startServiceProcess({}, [], [], program)
  let memory: { now: number; own: number }
  try {
    await sleep(afterMs)
    memory = memoryMb(plain.pid)
  } finally {
    await plain.stop()
  }
  // A process that reports its threads has one more module in each, so the figures of the whole come from another one.
  const reporting = await startServiceProcess(settings, ['--import', REPORTER], [], program)
  try {
    await sleep(afterMs + REPORTING_MS)
    const threads = readdirSync(reports).map(
      (file) => JSON.parse(readFileSync(join(reports, file), 'utf8')) as ThreadReport,
    )
    return { residentMb: memory.now, ownMb: memory.own, threads: threads.map(inMegabytes) }
  } finally {
    await reporting.stop()
  }
}

function inMegabytes({ thread, ...bytes }: ThreadReport): MemoryRun['threads'][number] {
  const [heapUsed, heap, malloced, external] = [bytes.heapUsed, bytes.heap, bytes.malloced, bytes.external].map(
    (each) => each / 2 ** 20,
  )
  return { thread, heapUsed, heap, malloced, external }
}
