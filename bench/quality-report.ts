import type { SearchMode } from '../src/search/engine.ts'
import type { Quality } from './quality-metrics.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, table } from './support/table.ts'

export interface CollectionReport {
  readonly name: string
  readonly language: string
  /** nDCG@10 that keyword search must reach. */
  readonly baseline: number
  readonly documents: number
  readonly modes: Record<SearchMode, Quality & { readonly queries: number }>
}

export interface QualityReport {
  readonly machine: MachineFacts
  readonly collections: readonly CollectionReport[]
  readonly requirements: readonly Requirement[]
}

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
/** Share by which hybrid search may fall below the better of keyword and semantic search on one collection. */
const LOSS_MAX = 0.02

const mean = (reports: readonly CollectionReport[], mode: SearchMode): number =>
  reports.reduce((sum, report) => sum + report.modes[mode].ndcg10, 0) / reports.length

/** Factor by which hybrid search must exceed keyword search in the mean. */
const GAIN_MIN = 1.05

interface Compared {
  readonly keyword: number
  readonly hybrid: number
}

function judgeGain(what: string, figures: readonly Compared[]): Requirement {
  const sum = (of: (figure: Compared) => number): number => figures.reduce((total, figure) => total + of(figure), 0)
  const gain = sum(({ hybrid }) => hybrid) / sum(({ keyword }) => keyword)
  return {
    what: `${what}: hybrid at least ${fixed(GAIN_MIN, 2)} times keyword in the mean`,
    measured: fixed(gain, 3),
    met: gain >= GAIN_MIN,
  }
}

function figuresOf({ modes: { keyword, hybrid } }: CollectionReport): Compared {
  return { keyword: keyword.ndcg10, hybrid: hybrid.ndcg10 }
}

/** Judges the same requirement "over all collections": nDCG@10 of collections beside MRR@10 of mixed pages. */
export function judgeOverAll(reports: readonly CollectionReport[], mixed: readonly Compared[]): Requirement {
  return judgeGain('all collections and mixed pages', [...reports.map(figuresOf), ...mixed])
}

/** Checks nDCG@10 against its requirements. Baselines are published with three digits and compared with three. */
export function judge(reports: readonly CollectionReport[]): Requirement[] {
  const better = Math.max(mean(reports, 'keyword'), mean(reports, 'semantic'))
  const hybrid = mean(reports, 'hybrid')
  return [
    ...reports.map(({ name, baseline, modes: { keyword } }) => ({
      what: `${name}: keyword at least the BM25 baseline`,
      measured: `${fixed(keyword.ndcg10, 3)}, baseline ${fixed(baseline, 3)}`,
      met: Number(fixed(keyword.ndcg10, 3)) >= baseline,
    })),
    {
      what: 'hybrid better in the mean than keyword and than semantic',
      measured: `${fixed(hybrid, 4)}, better half ${fixed(better, 4)}`,
      met: hybrid > better,
    },
    judgeGain(reports.map(({ name }) => name).join(' and '), reports.map(figuresOf)),
    ...reports.map(({ name, modes }) => {
      const half = Math.max(modes.keyword.ndcg10, modes.semantic.ndcg10)
      return {
        what: `${name}: hybrid at most 2 percent below its better half`,
        measured: `${fixed(modes.hybrid.ndcg10, 3)}, better half ${fixed(half, 3)}`,
        met: modes.hybrid.ndcg10 >= half * (1 - LOSS_MAX),
      }
    }),
  ]
}

export function qualityHeadline({ collections }: QualityReport): string {
  return `hybrid nDCG@10 ${collections.map(({ name, modes }) => `${fixed(modes.hybrid.ndcg10, 3)} (${name})`).join(', ')}`
}

/** Returns the report as Markdown. */
export function qualityText({ machine, collections, requirements }: QualityReport): string {
  const rows = collections.flatMap(({ name, documents, modes }) =>
    MODES.map((mode) => {
      const { queries, ndcg10, recall100, mrr10 } = modes[mode]
      return [name, documents, queries, mode, fixed(ndcg10, 3), fixed(recall100, 3), fixed(mrr10, 3)]
    }),
  )
  return [
    '## Search quality',
    '`npm run bench:quality` imports two test collections into the service through its HTTP API and runs all their queries with limit 100 and the default settings: the built-in model, a vector weight of 0.5 and the same field weights for both. Cranfield has 1,400 English abstracts of aerodynamics; the unexplained code -1 of its judgments counts as relevant. XQuAD has German questions to the paragraphs of Wikipedia that answer them, without titles. Queries do not name their language.',
    table(['collection', 'entries', 'queries', 'mode', 'nDCG@10', 'Recall@100', 'MRR@10'], rows),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
