import type { Distribution } from './support/distribution.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

/** Parts of a run, in their order, in which another tenant searches. */
export const PHASES = ['alone', 'import', 'reading'] as const
export type Phase = (typeof PHASES)[number]

/** An import and what came after it, with one model. */
export interface ReadingFigures {
  readonly model: string
  /** Seconds from the first line of the import: to its last answer, and until its last entry was found. */
  readonly importSeconds: number
  readonly wordsSeconds: number
  readonly meaningSeconds: number
  /** Seconds until nothing waits to be read. */
  readonly readSeconds: number
  /** Seconds until ten entries of a third tenant were read, written at the last answer of the import. */
  readonly fewSeconds: number
  /** Processor seconds of the service in the import, and in all until nothing waits. */
  readonly importCpuSeconds: number
  readonly cpuSeconds: number
  /** Resident memory of the service in megabytes, without mapped files. */
  readonly memory: {
    readonly ready: number
    /** With the other tenant's entries, all read. */
    readonly before: number
    readonly peak: number
    readonly after: number
  }
  /** Milliseconds of the other tenant's searches; none in a part that was too short for one. */
  readonly searches: Readonly<Partial<Record<Phase, Distribution>>>
  readonly lost: number
}

export interface ReadingReport {
  readonly machine: MachineFacts
  readonly pages: number
  readonly everyMs: number
  readonly models: readonly ReadingFigures[]
  readonly requirements: readonly Requirement[]
}

/** The model that reads nothing, with which the others are compared. */
export const COMPARED = 'static-de-en-v2'

const MEMORY_MAX_MB = 150
const P99_MAX_MS = 60
/** Seconds within which ten entries are read, whatever another tenant's import has waiting. */
const FEW_MAX_SECONDS = 10

/** Judges the models that read, beside the one that does not. */
export function judgeReading(models: readonly ReadingFigures[]): Requirement[] {
  const compared = models.find(({ model }) => model === COMPARED)
  return models
    .filter(({ model }) => model !== COMPARED)
    .flatMap(({ model, memory, searches, lost, fewSeconds }) => {
      const p99 = Math.max(...Object.values(searches).map((each) => each.p99))
      const beside = {
        what: `${model}: p99 of another tenant's searches at most ${P99_MAX_MS} ms, none lost`,
        measured: `${fixed(p99, 1)} ms, ${lost} lost`,
        met: p99 <= P99_MAX_MS && lost === 0,
      }
      const few = {
        what: `${model}: ten entries of another tenant read within ${FEW_MAX_SECONDS} s`,
        measured: `${fixed(fewSeconds, 1)} s`,
        met: fewSeconds <= FEW_MAX_SECONDS,
      }
      if (compared === undefined) return [beside, few]
      const more = memory.before - compared.memory.before
      return [
        beside,
        few,
        {
          what: `${model}: memory before the import, with the model loaded, at most ${MEMORY_MAX_MB} MB above ${COMPARED}`,
          measured: `${grouped(more)} MB`,
          met: more <= MEMORY_MAX_MB,
        },
      ]
    })
}

export function readingHeadline({ pages, models }: ReadingReport): string {
  const { model, wordsSeconds, readSeconds } = models.at(-1)!
  return `${grouped(pages)} pages with ${model}: found by words after ${fixed(wordsSeconds, 0)} s, all read after ${grouped(readSeconds)} s`
}

/** Returns the report as Markdown. */
export function readingText({ machine, pages, everyMs, models, requirements }: ReadingReport): string {
  const seconds = (value: number): string => grouped(value)
  return [
    '## Reading',
    `\`npm run bench:reading\` imports ${grouped(pages)} pages of about 120 words of German and English (\`bench/words.txt\`) through the bulk route, and waits until the model has read them. Another tenant with 1,000 entries searches meanwhile (\`hybrid\`), every ${everyMs} ms, with a new query each time. Each model has a service of its own, on SQLite.`,
    'Seconds from the first line: to the last answer; until the last page is found by its words, and by its meaning; until nothing waits to be read. Ten entries that a third tenant writes at the last answer have a column of their own: the seconds until they were read. Then the processor seconds of the service, and its resident memory without mapped files: when it is ready, with the other tenant filled and its entries read, at its highest, and at the end.',
    table(
      [
        'model',
        'import s',
        'words',
        'meaning',
        'all read',
        'CPU s, import',
        'in all',
        'MB ready',
        'before',
        'peak',
        'after',
      ],
      models.map((each) => [
        each.model,
        ...[each.importSeconds, each.wordsSeconds, each.meaningSeconds, each.readSeconds].map(seconds),
        fixed(each.fewSeconds, 1),
        ...[each.importCpuSeconds, each.cpuSeconds].map(seconds),
        ...[each.memory.ready, each.memory.before, each.memory.peak, each.memory.after].map((mb) => grouped(mb)),
      ]),
    ),
    "The other tenant's searches, in milliseconds from when each was due:",
    table(
      ['model', 'while', 'searches', 'p50', 'p99', 'longest'],
      models.flatMap(({ model, searches }) =>
        PHASES.flatMap((phase) => {
          const figures = searches[phase]
          if (figures === undefined) return []
          const { count, p50, p99, max } = figures
          return [[model, phase, grouped(count), fixed(p50, 1), fixed(p99, 1), fixed(max, 1)]]
        }),
      ),
    ),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
