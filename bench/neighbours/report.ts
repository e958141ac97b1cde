import { type MachineFacts, machineText } from '../support/machine.ts'
import { type Requirement, requirementsText } from '../support/requirements.ts'
import { fixed, grouped, table } from '../support/table.ts'
import { KINDS, type NeighbourFigures } from './neighbour.ts'

export interface ScenarioFigures {
  readonly name: string
  readonly what: string
  readonly alone: Pick<NeighbourFigures, 'p50' | 'p99' | 'max'>
  readonly beside: NeighbourFigures
  /** The abuser's answers by status, failures by their code. */
  readonly statuses: Readonly<Record<string, number>>
  readonly failure: string | null
  readonly isAlive: boolean
  readonly memory: {
    readonly beforeMb: number
    readonly peakMb: number
    readonly afterMb: number
    /** Megabytes by which the search indexes grew meanwhile, as the service reports. */
    readonly indexGrowthMb: number
  }
}

export interface DatabaseNeighbours {
  readonly database: string
  readonly scenarios: readonly ScenarioFigures[]
}

export interface NeighboursReport {
  readonly machine: MachineFacts
  readonly everyMs: number
  readonly hasSilentResolver: boolean
  readonly databases: readonly DatabaseNeighbours[]
}

const P99_MAX_MS = 60
export const GROWTH_MAX_MB = 100

/** Returns the p99 of searches, reads or writes, whichever is slowest. */
function worstP99(figures: NeighbourFigures): number {
  return Math.max(...KINDS.map((kind) => figures.p99Of[kind]))
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)

/** Returns the megabytes by which the process grew, without the growth of search indexes. */
function growthMb({ beforeMb, afterMb, indexGrowthMb }: ScenarioFigures['memory']): number {
  return afterMb - beforeMb - Math.max(0, indexGrowthMb)
}

/** Returns the faults of a scenario, in a word or two each. */
export function faultsOf(scenario: ScenarioFigures): string[] {
  const faults: string[] = []
  if (!scenario.isAlive) faults.push('died')
  if (worstP99(scenario.beside) > P99_MAX_MS) faults.push('slow')
  if (scenario.beside.lost > 0) faults.push('lost answers')
  if (growthMb(scenario.memory) > GROWTH_MAX_MB) faults.push('memory')
  if (scenario.failure !== null) faults.push('abuse failed')
  return faults
}

export function judgeNeighbours(databases: readonly DatabaseNeighbours[]): Requirement[] {
  return databases.flatMap(({ database, scenarios }) => {
    const requirement = (what: string, fault: string, worst: string): Requirement => {
      const faulty = scenarios.filter((scenario) => faultsOf(scenario).includes(fault)).map(({ name }) => name)
      const measured = faulty.length === 0 ? worst : `${worst}; not: ${faulty.join(', ')}`
      return { what: `${database}: ${what}`, measured, met: faulty.length === 0 }
    }
    if (scenarios.length === 0) return []
    const slowest = slowestMs(scenarios)
    const lost = sum(scenarios.map(({ beside }) => beside.lost))
    const growth = Math.max(...scenarios.map(({ memory }) => growthMb(memory)))
    const dead = scenarios.filter(({ isAlive }) => !isAlive).length
    return [
      requirement(`p99 of each kind of request at most ${P99_MAX_MS} ms`, 'slow', `at most ${fixed(slowest, 1)} ms`),
      requirement('no answer lost', 'lost answers', grouped(lost)),
      requirement('the process lives', 'died', `${scenarios.length - dead} of ${scenarios.length}`),
      requirement(
        `memory within ${GROWTH_MAX_MB} MB of before, search indexes aside`,
        'memory',
        `at most ${grouped(growth)} MB more`,
      ),
      requirement('every abuse could be tried', 'abuse failed', 'as described'),
    ]
  })
}

export function neighboursHeadline({ databases }: NeighboursReport): string {
  const measured = databases.filter(({ scenarios }) => scenarios.length > 0)
  return `p99 at most ${measured.map(({ database, scenarios }) => `${fixed(slowestMs(scenarios), 1)} ms (${database})`).join(', ')}`
}

const slowestMs = (scenarios: readonly ScenarioFigures[]): number =>
  Math.max(...scenarios.map(({ beside }) => worstP99(beside)))

/** Returns the report as Markdown. */
export function neighboursText(report: NeighboursReport): string {
  const { machine, everyMs, databases, hasSilentResolver } = report
  return [
    '## Neighbours',
    '`npm run bench:neighbours` measures what one tenant, or a stranger, does to another tenant, the neighbour.',
    [
      `- **The neighbour** has 1,000 entries. It searches (\`hybrid\`, static-de-en-v2; both built-in models beside \`reading\`), reads an entry and changes one, each every ${everyMs} ms, whether or not the last was answered. A time counts from when the request was due. The neighbour is measured alone, then beside each abuse.`,
      '- **The abuser** has ordinary credentials of another tenant or none, and no rate limit in its way. All run on one machine, each in its own process; the abuser, which would have a machine of its own, gives way to the others (`nice` 10).',
      `- **Memory** is the resident memory of the service, without the database file that SQLite maps: before the abuse, at its highest, and after it. After means: within ${GROWTH_MAX_MB} MB of before, or 30 seconds later with the neighbour going on. The growth of the search indexes is left out, because they keep it.`,
    ].join('\n'),
    hasSilentResolver
      ? ''
      : 'The name server that never answers could not be set up here, which takes root: `client-documents` asked the name server of the machine.',
    requirementsText(judgeNeighbours(databases)),
    ...databases.map(
      ({ database, scenarios }) =>
        `### ${database}${partOf(scenarios.length, databases)}\n\n${scenarioTable(scenarios)}`,
    ),
    `What each abuse does:\n\n${descriptions(databases)}`,
    machineText(machine),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Returns a note if the run was interrupted or covered only some abuses. */
function partOf(count: number, databases: readonly DatabaseNeighbours[]): string {
  const most = Math.max(...databases.map(({ scenarios }) => scenarios.length))
  return count < most ? `, ${count} of ${most} abuses` : ''
}

const HEAD = [
  'beside',
  'alone p50',
  'p99',
  'max',
  'beside p50',
  'p99',
  'max',
  'p99 search',
  'read',
  'write',
  'lost',
  'MB before',
  'peak',
  'after',
  'lives',
  "the abuser's answers",
]

export function scenarioTable(scenarios: readonly ScenarioFigures[]): string {
  const rows = scenarios.map((scenario) => {
    const { name, alone, beside, memory, isAlive, statuses, failure } = scenario
    const answers = Object.entries(statuses).map(([status, count]) => `${grouped(count)} × ${status}`)
    if (failure !== null) answers.push(`failed: ${failure.replaceAll(/[|\s]+/g, ' ').slice(0, 120)}`)
    return [
      name,
      ...[alone, beside].flatMap(({ p50, p99, max }) => [p50, p99, max].map((ms) => fixed(ms, 1))),
      ...KINDS.map((kind) => fixed(beside.p99Of[kind], 1)),
      grouped(beside.lost),
      grouped(memory.beforeMb),
      grouped(memory.peakMb),
      memory.indexGrowthMb >= 1
        ? `${grouped(memory.afterMb)} (index ${grouped(memory.indexGrowthMb)})`
        : grouped(memory.afterMb),
      isAlive ? 'yes' : 'no',
      answers.join(', '),
    ]
  })
  return table(HEAD, rows)
}

function descriptions(databases: readonly DatabaseNeighbours[]): string {
  const all = new Map(databases.flatMap(({ scenarios }) => scenarios.map(({ name, what }) => [name, what] as const)))
  return [...all].map(([name, what]) => `- \`${name}\`: ${what}`).join('\n')
}
