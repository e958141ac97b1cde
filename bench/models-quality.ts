/** Measures the quality of entry search with several models, over the same collections and pages. */
import type { SearchMode } from '../src/search/engine.ts'
import { measureCollection } from './collection-run.ts'
import { type JudgedQuery, readGrades, readJudgedQueries } from './judged-data.ts'
import { MODELS, type ModelName } from './models.ts'
import { judgeModels, type ModelFigures, type ModelsReport, type SetFigures, SETS } from './models-quality-report.ts'
import { mixPages, type MixedPages, type Page, type Question, readPages } from './pages-data.ts'
import { type Ask, measureNonsenseModes, withPages } from './pages-quality.ts'
import { type Collection, readCollections, readStrictJudgments } from './quality-data.ts'
import { type Judgments, scoreRun } from './quality-metrics.ts'
import { machineFacts } from './support/machine.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

type Run = ReadonlyMap<string, readonly string[]>
type Runs = Readonly<Record<SearchMode, Map<string, readonly string[]>>>
type OnRun = (name: string, run: Run) => void
type Grades = ReadonlyMap<string, Judgments>

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']

interface Sets {
  readonly collections: readonly Collection[]
  readonly pages: readonly Page[]
  readonly mixed: readonly MixedPages[]
}

/**
 * Measures each model with a service of its own.
 * @param folder of the collections
 * @param onRun receives the rankings, by model, set and mode
 */
export async function measureModels(folder: string, names: readonly ModelName[], onRun: OnRun): Promise<ModelsReport> {
  const pages = readPages(folder)
  const strict = readStrictJudgments(folder)
  const collections = readCollections(folder).map((collection) =>
    collection.name === 'cranfield' ? { ...collection, judgments: strict } : collection,
  )
  const models: ModelFigures[] = []
  for (const name of names) {
    const use = await MODELS[name].use()
    try {
      const service = await startServiceProcess(use.settings)
      try {
        const onRunOf: OnRun = (set, run) => onRun(`${name}-${set}`, run)
        models.push({
          model: name,
          ...(await measureSets(service, { collections, pages, mixed: mixPages(pages) }, onRunOf)),
        })
      } finally {
        await service.stop()
      }
    } finally {
      await use.close()
    }
  }
  return { machine: machineFacts(), models, requirements: judgeModels(models) }
}

async function measureSets(
  service: ServiceProcess,
  { collections, pages, mixed }: Sets,
  onRun: OnRun,
): Promise<Omit<ModelFigures, 'model'>> {
  const judged: SetFigures[] = []
  for (const collection of collections) judged.push(await measureJudged(service, collection, onRun))
  const mixedSets = await measureMixed(service, mixed, onRun)
  return withPages(service, 'all-pages', pages, async (ask, api) => {
    const titles = readJudgedQueries('kubernetes')
    const titleRuns = await ranked(ask, titles)
    const questions = readJudgedQueries('languages')
    const questionRuns = await ranked(ask, questions)
    for (const mode of MODES) {
      onRun(`titles-${mode}`, titleRuns[mode])
      onRun(`languages-${mode}`, questionRuns[mode])
    }
    const grades = readGrades('languages')
    const languages = [...Map.groupBy(questions, ({ kind }) => kind)].map(([language, some]) =>
      setOf(language, pick(grades, some), questionRuns),
    )
    const [, hybrid] = await measureNonsenseModes(api)
    return {
      sets: [
        ...judged,
        ...mixedSets,
        setOf(SETS.titles, readGrades('kubernetes'), titleRuns),
        setOf(SETS.languages, grades, questionRuns),
      ],
      languages,
      irrelevant: hybrid.irrelevant / hybrid.queries,
    }
  })
}

async function measureJudged(service: ServiceProcess, collection: Collection, onRun: OnRun): Promise<SetFigures> {
  const { name, modes } = await measureCollection(service, collection, onRun)
  const { queries } = modes.hybrid
  const figures = (of: 'ndcg10' | 'mrr10') => ({
    keyword: modes.keyword[of],
    semantic: modes.semantic[of],
    hybrid: modes.hybrid[of],
  })
  return name === 'cranfield'
    ? { name: SETS.cranfield, figure: 'nDCG@10', queries, modes: figures('ndcg10') }
    : { name: SETS.xquad, figure: 'MRR@10', queries, modes: figures('mrr10') }
}

async function measureMixed(service: ServiceProcess, mixed: readonly MixedPages[], onRun: OnRun) {
  const sets = [
    { name: SETS.otherLanguage, file: 'mixed-other', of: ({ questions }: MixedPages) => questions },
    { name: SETS.ownLanguage, file: 'mixed-own', of: ({ headings }: MixedPages) => headings },
  ].map((set) => ({ ...set, grades: new Map<string, Judgments>(), runs: noRuns() }))
  for (const [i, each] of mixed.entries()) {
    await withPages(service, `mixed-${i + 1}`, each.pages, async (ask) => {
      for (const { of, grades, runs } of sets) {
        const asked = of(each).map((question, n) => ({ ...question, id: `${i}-${n}` }))
        const some = await ranked(ask, asked)
        for (const { id, page } of asked) grades.set(id, rightPage({ page }))
        for (const mode of MODES) for (const [id, ids] of some[mode]) runs[mode].set(id, ids)
      }
    })
  }
  return sets.map(({ name, file, grades, runs }) => {
    for (const mode of MODES) onRun(`${file}-${mode}`, runs[mode])
    return setOf(name, grades, runs)
  })
}

function rightPage({ page }: Pick<Question, 'page'>): Judgments {
  return new Map([[page, 1]])
}

/** Asks each query in each mode. */
async function ranked(ask: Ask, queries: readonly { readonly id: string; readonly text: string }[]): Promise<Runs> {
  const runs = noRuns()
  for (const mode of MODES) for (const { id, text } of queries) runs[mode].set(id, await ask(text, mode))
  return runs
}

function noRuns(): Runs {
  return { keyword: new Map(), semantic: new Map(), hybrid: new Map() }
}

function pick(grades: Grades, queries: readonly JudgedQuery[]): Grades {
  return new Map(queries.map(({ id }) => [id, grades.get(id)!]))
}

function setOf(name: string, grades: Grades, runs: Runs): SetFigures {
  const mrr10 = (mode: SearchMode): number => scoreRun(grades, runs[mode]).mrr10
  const modes = { keyword: mrr10('keyword'), semantic: mrr10('semantic'), hybrid: mrr10('hybrid') }
  return { name, figure: 'MRR@10', queries: grades.size, modes }
}
