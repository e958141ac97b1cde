import { RELEVANT } from '../src/search/ranking/relevance.ts'
import type { SearchMode } from '../src/search/engine.ts'
import { MODELS, type ModelName } from './models.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, table } from './support/table.ts'

/** Quality of one set of queries, by mode. */
export interface SetFigures {
  readonly name: string
  readonly figure: 'nDCG@10' | 'MRR@10'
  readonly queries: number
  readonly modes: Readonly<Record<SearchMode, number>>
}

export interface ModelFigures {
  readonly model: ModelName
  readonly sets: readonly SetFigures[]
  /** MRR@10 of questions in languages that no page has. */
  readonly languages: readonly SetFigures[]
  /** Share of nonsense queries without a relevant hit, in hybrid mode. */
  readonly irrelevant: number
}

export interface ModelsReport {
  readonly machine: MachineFacts
  readonly models: readonly ModelFigures[]
  readonly requirements: readonly Requirement[]
}

/** Names of the sets that requirements speak of. */
export const SETS = {
  cranfield: 'Cranfield (en)',
  xquad: 'XQuAD (de)',
  otherLanguage: 'mixed pages, the other language',
  ownLanguage: 'mixed pages, their own language',
  titles: 'all pages, titles',
  languages: 'all pages, ten more languages',
} as const

/** How much less than its better half hybrid search may reach. */
const LOSS_MAX = 0.005
/** BM25 with Snowball stems and nothing else, k1 1.2, b 0.75, as the card of the contextual model has it. */
const PLAIN_BM25 = { [SETS.cranfield]: 0.359, [SETS.xquad]: 0.926 }
/** What hybrid search with both models must reach. */
const HYBRID_MIN = { [SETS.cranfield]: 0.4, [SETS.xquad]: 0.96, [SETS.otherLanguage]: 0.86 }
const IRRELEVANT_MIN = 0.95

/** Judges the models. */
export function judgeModels(models: readonly ModelFigures[]): Requirement[] {
  const both = models.find(({ model }) => model === 'both')
  return [
    ...models.map(judgeHalves),
    ...(both === undefined ? [] : judgeBoth(both)),
    ...models.map(({ model, irrelevant }) => ({
      what: `${MODELS[model].title}: of nonsense queries, at least 95 percent have no hit with a relevance of ${RELEVANT}`,
      measured: `${fixed(100 * irrelevant, 1)} percent`,
      met: irrelevant >= IRRELEVANT_MIN,
    })),
  ]
}

function judgeHalves({ model, sets }: ModelFigures): Requirement {
  const losses = sets
    .map(({ name, modes }) => ({ name, loss: Math.max(modes.keyword, modes.semantic) - modes.hybrid }))
    .toSorted((a, b) => b.loss - a.loss)
  const below = losses.filter(({ loss }) => loss > LOSS_MAX)
  const told = below.length === 0 ? losses.slice(0, 1) : below
  return {
    what: `${MODELS[model].title}: hybrid at most ${LOSS_MAX} below the better of its halves, on every set`,
    measured: told.map(({ name, loss }) => `${name} ${loss > 0 ? '-' : '+'}${fixed(Math.abs(loss), 3)}`).join(', '),
    met: below.length === 0,
  }
}

function judgeBoth({ sets }: ModelFigures): Requirement[] {
  const figureOf = (name: string, mode: SearchMode): number => sets.find((set) => set.name === name)!.modes[mode]
  return [
    ...Object.entries(PLAIN_BM25).map(([name, least]) => ({
      what: `both, ${name}: meaning alone better than plain BM25, ${fixed(least, 3)}`,
      measured: fixed(figureOf(name, 'semantic'), 3),
      met: figureOf(name, 'semantic') > least,
    })),
    ...Object.entries(HYBRID_MIN).map(([name, least]) => ({
      what: `both, ${name}: hybrid at least ${fixed(least, 2)}`,
      measured: fixed(figureOf(name, 'hybrid'), 3),
      met: figureOf(name, 'hybrid') >= least,
    })),
  ]
}

export function modelsHeadline({ models }: ModelsReport): string {
  const hybrid = ({ sets }: ModelFigures, set: string): string =>
    fixed(sets.find(({ name }) => name === set)!.modes.hybrid, 3)
  return `hybrid ${models.map((each) => `${hybrid(each, SETS.cranfield)} and ${hybrid(each, SETS.xquad)} (${MODELS[each.model].title})`).join(', ')}`
}

/** Returns the report as Markdown. */
export function modelsText({ machine, models, requirements }: ModelsReport): string {
  const titles = models.map(({ model }) => MODELS[model].title)
  const rowsOf = (sets: (each: ModelFigures) => readonly SetFigures[]) =>
    sets(models[0]).map(({ name, figure, queries, modes }, i) => [
      name,
      figure,
      queries,
      fixed(modes.keyword, 3),
      ...models.flatMap((each) => [sets(each)[i].modes.semantic, sets(each)[i].modes.hybrid].map((x) => fixed(x, 3))),
    ])
  const head = ['set', 'figure', 'queries', 'words', ...titles.flatMap((title) => [`${title}, meaning`, 'hybrid'])]
  return [
    '## Models',
    '`npm run bench:quality -- --models all` searches the same entries with each model, in the default settings: by words alone, by meaning alone, and in hybrid mode.',
    [
      '- **Models**: `static` is static-de-en-v2, `contextual` contextual-eu-v1, `both` the two together. `squeezed` is the contextual one behind an endpoint like that of OpenAI, with cosines of .8 + .2 x its own, as those of E5 lie.',
      '- **Cranfield** is judged by `qrels.tsv`, in which the unexplained code -1 is irrelevant; the section above counts it as relevant.',
      '- **Mixed pages** are those of the section below that exist in German and in English, each in one language only. One set has their titles in the other language, the other one the first two headings of each page in its own.',
      '- **All pages** are all of the Kubernetes documentation, German and English, asked for with their titles, and with ten questions in each of ten more languages. [How they were chosen](../../bench/judged/README.md).',
    ].join('\n'),
    table(
      head,
      rowsOf(({ sets }) => sets),
    ),
    'The ten more languages, over all pages:',
    table(
      head,
      rowsOf(({ languages }) => languages),
    ),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
