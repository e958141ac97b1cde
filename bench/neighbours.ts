/**
 * Measures how one tenant's abuse affects another. A neighbour searches, reads and writes at a steady pace, alone and
 * beside each abuse (bench/neighbours), on SQLite and on a PostgreSQL that this command starts. Exits with 1 if the
 * neighbour waits too long or loses an answer, or if the service keeps memory or dies.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { administer, urlOf } from '../test/support/template.ts'
import { GROUPS } from './neighbours/groups.ts'
import {
  type DatabaseNeighbours,
  faultsOf,
  judgeNeighbours,
  type NeighboursReport,
  neighboursText,
  type ScenarioFigures,
  scenarioTable,
} from './neighbours/report.ts'
import { type RunOptions, runGroup } from './neighbours/run-group.ts'
import { startSilentResolver } from './neighbours/silent-resolver.ts'
import { readReport, saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'

const USAGE = `Usage: npm run bench:neighbours -- [options]

  --database NAME   measure only sqlite or only postgres
  --only NAME,…     run only these scenarios or groups
  --quick           store a fifth of the data and take less time
  --list            print the scenarios with their descriptions
  --profile DIR     write the service's processor profiles there (node --cpu-prof)
  --write           save the figures and update docs/benchmarks.md
`
const EVERY_MS = 25

// Setting `exitCode` is not enough: stopping the embedded PostgreSQL with this process sets its own.
process.exit(await main())

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const names = values.only?.split(',') ?? null
  const choices = new Set(GROUPS.flatMap(({ name, scenarios }) => [name, ...scenarios.map((each) => each.name)]))
  const unknown = names?.find((name) => !choices.has(name))
  const isDatabase = values.database === undefined || ['sqlite', 'postgres'].includes(values.database)
  if (values.list) return list()
  if (values.help || !isDatabase || unknown !== undefined) {
    if (unknown !== undefined) process.stdout.write(`There is no scenario ${unknown}; --list shows all.\n`)
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  const resolver = await startSilentResolver()
  const options: Omit<RunOptions, 'databaseUrl'> = {
    everyMs: EVERY_MS,
    aloneMs: values.quick ? 3_000 : 8_000,
    leastMs: values.quick ? 5_000 : 10_000,
    isQuick: values.quick,
    resolver,
    nodeFlags: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    say,
  }
  const databases: DatabaseNeighbours[] = []
  const report: NeighboursReport = {
    machine: machineFacts(),
    everyMs: EVERY_MS,
    hasSilentResolver: resolver !== null,
    databases,
  }
  // Saved after each scenario, so that an interrupted run does not lose an hour of figures.
  const save = (): void => {
    if (!values.write) return
    saveReport('neighbours', { ...report, databases: withEarlier(databases, names !== null) })
    writeDocument()
  }
  const addTo = (database: string): ((figures: ScenarioFigures) => void) => {
    const scenarios: ScenarioFigures[] = []
    databases.push({ database, scenarios })
    return (figures) => {
      scenarios.push(figures)
      save()
    }
  }
  try {
    if (values.database !== 'postgres') await measure('SQLite', names, options, addTo('SQLite'), async () => null)
    if (values.database !== 'sqlite') await measureOnPostgres(names, options, addTo('PostgreSQL'))
  } finally {
    resolver?.close()
  }
  console.log(neighboursText(report))
  return judgeNeighbours(databases).every(({ met }) => met) ? 0 : 1
}

/**
 * Adds the results of an earlier run for what this run left out.
 * @param isPart whether this run measures only some scenarios of a database
 */
function withEarlier(databases: readonly DatabaseNeighbours[], isPart: boolean): DatabaseNeighbours[] {
  const earlier = (readReport('neighbours') as NeighboursReport | null)?.databases ?? []
  const left = earlier.filter(({ database }) => databases.every((each) => each.database !== database))
  const measured = isPart ? databases.map((each) => withScenarios(each, earlier)) : databases
  return [...left, ...measured].toSorted((one, other) => other.database.localeCompare(one.database))
}

/** Adds the scenarios of an earlier run, each in its place. */
function withScenarios(
  { database, scenarios }: DatabaseNeighbours,
  earlier: readonly DatabaseNeighbours[],
): DatabaseNeighbours {
  const before = earlier.find((each) => each.database === database)?.scenarios ?? []
  const figuresOf = (name: string): ScenarioFigures | undefined =>
    [...scenarios, ...before].find((each) => each.name === name)
  const names = GROUPS.flatMap((group) => group.scenarios.map(({ name }) => name))
  return { database, scenarios: names.flatMap((name) => figuresOf(name) ?? []) }
}

function list(): number {
  for (const { name, scenarios } of GROUPS) {
    console.log(name)
    for (const scenario of scenarios) console.log(`  ${scenario.name.padEnd(20)} ${scenario.what}`)
  }
  return 0
}

async function measureOnPostgres(
  names: readonly string[] | null,
  options: Omit<RunOptions, 'databaseUrl'>,
  done: (figures: ScenarioFigures) => void,
): Promise<void> {
  const server = await startPostgres({ isDurable: true })
  let count = 0
  try {
    await measure('PostgreSQL', names, options, done, async () => {
      if (count > 0) await administer(server.url, `drop database if exists bench_${count} with (force)`)
      count++
      await administer(server.url, `create database bench_${count}`)
      return urlOf(server.url, `bench_${count}`)
    })
  } finally {
    await server.stop()
  }
}

async function measure(
  database: string,
  names: readonly string[] | null,
  options: Omit<RunOptions, 'databaseUrl'>,
  done: (figures: ScenarioFigures) => void,
  newDatabase: () => Promise<string | null>,
): Promise<void> {
  for (const group of GROUPS) {
    const isWhole = names === null || names.includes(group.name)
    const some = group.scenarios.filter(({ name }) => isWhole || names.includes(name))
    if (some.length === 0) continue
    await runGroup(group, some, options, newDatabase, (figures, seconds) => {
      done(figures)
      const faults = faultsOf(figures)
      say(`${database}: ${figures.name}, ${seconds.toFixed(1)} s: ${faults.length === 0 ? 'fine' : faults.join(', ')}`)
      say(scenarioTable([figures]))
    })
  }
}

/** Prints progress to standard error, so that it does not mix with the report. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
