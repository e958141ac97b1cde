import { type MachineFacts, machineText } from '../support/machine.ts'
import { type Requirement, requirementsText } from '../support/requirements.ts'
import { fixed, grouped, table } from '../support/table.ts'
import type { Amounts } from './content.ts'
import { LONG_MS, type TaskFigures } from './trace.ts'
import type { TypingFigures } from './typing.ts'

export interface Measured {
  readonly page: string
  readonly what: string
  readonly figures: TaskFigures
}

export interface ConsoleReport {
  readonly machine: MachineFacts
  readonly amounts: Amounts
  readonly chromium: string
  readonly rounds: number
  readonly rows: readonly Measured[]
  readonly typing: readonly TypingFigures[]
}

/**
 * Milliseconds within which a person sees an answer as one to their own action (Nielsen, Usability Engineering, 1993).
 */
const ANSWER_MAX_MS = 1_000

export function judgeConsole({ rows, typing }: ConsoleReport): Requirement[] {
  const long = rows.filter(({ figures }) => figures.scriptMs > LONG_MS).map(({ page, what }) => `${page} ${what}`)
  const tasks: Requirement = {
    what: `no task with more than ${LONG_MS} ms of scripts`,
    measured: [
      `at most ${fixed(longestScriptMs(rows), 1)} ms`,
      ...(long.length === 0 ? [] : [`not: ${long.join(', ')}`]),
    ].join('; '),
    met: long.length === 0,
  }
  const answers = typing.map(({ query, answersMeanwhile, lastAnswerMs, stale }): Requirement => ({
    what: `“${query}” at ten keys a second: answers meanwhile, none of them stale, the last within ${grouped(ANSWER_MAX_MS)} ms`,
    measured: `${answersMeanwhile} answers, ${stale} stale, ${fixed(lastAnswerMs, 0)} ms`,
    met: answersMeanwhile > 0 && stale === 0 && lastAnswerMs <= ANSWER_MAX_MS,
  }))
  return [tasks, ...answers]
}

export function consoleHeadline({ rows }: ConsoleReport): string {
  return `at most ${fixed(longestScriptMs(rows), 1)} ms of scripts in one task`
}

const longestScriptMs = (rows: readonly Measured[]): number => Math.max(...rows.map(({ figures }) => figures.scriptMs))

/** Returns the report as Markdown. */
export function consoleText(report: ConsoleReport): string {
  const { machine, amounts, chromium, rounds, rows } = report
  const cells = rows.map(({ page, what, figures }) => [
    page,
    what,
    fixed(figures.cpuMs, 1),
    fixed(figures.scriptMs, 1),
    fixed(figures.renderingMs, 1),
    fixed(figures.wallMs, 1),
    figures.long,
  ])
  return [
    '## The console over much content',
    `\`npm run bench:console\` fills one tenant with ${grouped(amounts.entries)} entries, ${grouped(amounts.categories)} categories (half of them in one, the others in three levels), ${grouped(amounts.products)} products, ${grouped(amounts.people)} people and ${grouped(amounts.binned)} deleted entries, and opens the console's pages in Chromium ${chromium} under its trace.`,
    [
      '- **The figure** is the task with the most processor time of the thread that runs scripts and draws: milliseconds of processor time, which others on the machine do not lengthen. Rendering is style, layout and painting within that task, scripts are the rest. Wall is the same task by the clock. Long counts the tasks with more than 50 ms of processor time.',
      '- **Open** loads the page anew. **Wheel** scrolls in steps of 400 pixels to the end of three pages, or of the tree, **jump** sets the scroll bar to the end and elsewhere. **Unfold** loads the tree anew, opens twenty categories with 21 others in each, then the one with thousands, and shows more of it ten times. **Pick** looks in a field for one of all categories or people. **Type** is three queries at ten keys a second.',
      `- Each was measured ${rounds} times, and the best counts.`,
    ].join('\n'),
    table(['page', 'what', 'longest task', 'scripts', 'rendering', 'wall', 'long'], cells),
    requirementsText(judgeConsole(report)),
    machineText(machine),
  ].join('\n\n')
}
