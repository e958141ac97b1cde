import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

interface AnswerCost {
  readonly name: string
  /** Of an answer, on average. */
  readonly bytes: number
  /** Processor time of a search in the service, on average. */
  readonly cpuMs: number
}

export interface AnswersReport {
  readonly machine: MachineFacts
  readonly products: number
  /** Searches of each kind that count. */
  readonly searches: number
  /** Answers that are compared with the first of their group. */
  readonly groups: readonly (readonly AnswerCost[])[]
  readonly requirements: readonly Requirement[]
}

/** How many times the processor time of the first answer of its group another one may take, by its name. */
const TIMES_MAX: Readonly<Record<string, number>> = {
  'hybrid, excerpts and fields': 1.1,
  'keyword, excerpts and fields': 1.1,
  'facets over attributes': 2,
}

/** @throws Error when a name of `TIMES_MAX` is not among the groups: nothing would be required then */
export function judgeAnswers(groups: AnswersReport['groups']): Requirement[] {
  return Object.entries(TIMES_MAX).map(([name, max]) => {
    const group = groups.find((answers) => answers.some((answer) => answer.name === name))
    if (group === undefined) throw new Error(`Nothing was measured by the name ${name}`)
    const times = group.find((answer) => answer.name === name)!.cpuMs / group[0].cpuMs
    return {
      what: `${name}: at most ${max} times the processor time of ${group[0].name}`,
      measured: fixed(times, 2),
      met: times <= max,
    }
  })
}

/** The report as Markdown. */
export function answersText({ machine, products, searches, groups, requirements }: AnswersReport): string {
  const rows = groups.flatMap((group) =>
    group.map(({ name, bytes, cpuMs }) => [
      name,
      fixed(bytes / 1_000, 1),
      fixed(cpuMs, 2),
      fixed(cpuMs / group[0].cpuMs, 2),
    ]),
  )
  return [
    '## Answers',
    `\`npm run bench:answers\` measures what answers of ten hits cost: entries of the pages whole, with chosen fields, and with excerpts; and ${grouped(products)} made-up products with attributes, with facets, filters and orders. Each kind is asked ${grouped(searches)} times, in turns with the others, and compared with the first of its mode or of products.`,
    table(['answer', 'kB', 'ms of processor', 'times the first'], rows),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
