/**
 * Measures writes: how many entries and products the service creates in a second on SQLite, how soon a search by meaning finds what
 * was written, and what an idle service takes. `--against FOLDER` measures another checkout of the program in turns
 * with this one. `--only creates,found,idle` measures some of it. `--rounds N` (3) and `--seconds N` (5) are those of
 * creates, `--writes N` (1000) are to be found, `--idle N` (60) are the seconds of rest. `--write` updates
 * docs/benchmarks.md.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { PROGRAM } from './support/service-process.ts'
import { CREATED, type CreateFigures, measureCreates } from './writes/creates.ts'
import { type FoundFigures, measureFound } from './writes/found.ts'
import { type IdleFigures, measureIdle } from './writes/idle.ts'
import { judgeWrites, type Place, type Version, type WritesReport, writesText } from './writes/report.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string', default: 'creates,found,idle' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    writes: { type: 'string', default: '1000' },
    idle: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
})
const only = new Set(values.only.split(','))
const THIS: Version = { name: 'this', folder: PROGRAM }
const versions = values.against === undefined ? [THIS] : [{ name: 'before', folder: resolve(values.against) }, THIS]
const rounds = Number(values.rounds)

const creates: CreateFigures[] = []
if (only.has('creates')) {
  for (const created of CREATED)
    creates.push(...(await measureCreates(versions, created, rounds, Number(values.seconds))))
}
const waits: FoundFigures[] = []
const idle: IdleFigures[] = []
for (const version of versions) {
  await onEachPlace(async (place) => {
    if (only.has('found')) waits.push(...(await measureFound(version, place, Number(values.writes))))
  })
  await onEachPlace(async (place) => {
    if (only.has('idle')) idle.push(await measureIdle(version, place, Number(values.idle)))
  })
}
const report: WritesReport = {
  machine: machineFacts(),
  rounds,
  creates,
  found: waits,
  idle,
  requirements: judgeWrites(waits, THIS.name),
}
console.log(writesText(report))
if (values.write) {
  saveReport('writes', report)
  writeDocument()
}
if (report.requirements.some(({ met }) => !met)) process.exitCode = 1

/** Measures once on SQLite and once on a PostgreSQL of its own. */
async function onEachPlace(measure: (place: Place) => Promise<void>): Promise<void> {
  if (!only.has('found') && !only.has('idle')) return
  await measure({ name: 'SQLite', databaseUrl: null })
  const server = await startPostgres({ isDurable: true })
  try {
    await measure({ name: 'PostgreSQL', databaseUrl: server.url })
  } finally {
    await server.stop()
  }
}
