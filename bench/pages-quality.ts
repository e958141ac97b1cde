/**
 * Measures the quality of entry search on real pages: titles in their own language, titles in the other, and nonsense.
 */
import { RELEVANT } from '../src/search/ranking/relevance.ts'
import type { SearchMode } from '../src/search/engine.ts'
import { type JudgedQuery, readGrades, readJudgedQueries, readNonsense, SPLITS } from './judged-data.ts'
import { measureNonsense, type NonsenseReport, nonsenseText } from './nonsense.ts'
import { mixPages, type MixedPages, type Page } from './pages-data.ts'
import { isFirstRight, type Judgments, scoreRun } from './quality-metrics.ts'
import { ApiClient } from './support/api-client.ts'
import { type MachineFacts, machineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { fixed, table } from './support/table.ts'

type ByMode = Readonly<Record<SearchMode, number>>

export interface PagesReport {
  readonly machine: MachineFacts
  readonly pages: number
  readonly mixedPages: number
  /** MRR@10, by the language of the question. */
  readonly mixed: readonly { readonly language: string; readonly questions: number; readonly mrr10: ByMode }[]
  /** Share of titles whose page comes first, of all titles and of each half. */
  readonly titles: readonly { readonly name: string; readonly queries: number; readonly first: ByMode }[]
  /** Figures of nonsense in semantic and in hybrid mode. */
  readonly nonsense: readonly NonsenseReport[]
  readonly requirements: readonly Requirement[]
}

interface Hit {
  readonly entry: { readonly id: string }
  readonly score?: number
  readonly similarity: number
  readonly relevance?: number
}

/** Asks a tenant that has some of the pages, and returns the ids of the hits, best first. */
export type Ask = (text: string, mode: SearchMode) => Promise<string[]>

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
const LIMIT = 10
/** MRR@10 that hybrid search must reach, by the language of the question: 1.3 times what a constant weight gave. */
const MIXED_MIN: Readonly<Record<string, number>> = { de: 1.3 * 0.483, en: 1.3 * 0.365 }
/** Stands for the text of a page that is all title; an entry may not be empty. */
const NOTHING = '-'

/**
 * Measures search over pages.
 * @param onRun receives the rankings of titles, by mode
 */
export async function measurePages(
  pages: readonly Page[],
  onRun: (name: string, run: ReadonlyMap<string, readonly string[]>) => void,
): Promise<PagesReport> {
  const service = await startServiceProcess()
  try {
    const mixed = mixPages(pages)
    const measured = await measureMixed(service, mixed)
    const all = await withPages(service, 'all-pages', pages, async (ask, api) => ({
      titles: await measureTitles(ask, onRun),
      nonsense: await measureNonsenseModes(api),
    }))
    return {
      machine: machineFacts(),
      pages: pages.length,
      mixedPages: mixed[0].pages.length,
      mixed: measured,
      ...all,
      requirements: [...judgeMixed(measured), ...judgeNonsense(all.nonsense)],
    }
  } finally {
    await service.stop()
  }
}

/** Imports pages into a tenant of their own, and runs `run` once they have their vectors. */
export async function withPages<T>(
  service: ServiceProcess,
  tenant: string,
  pages: readonly Page[],
  run: (ask: Ask, api: ApiClient) => Promise<T>,
): Promise<T> {
  const { key } = await service.tenant(tenant)
  const api = new ApiClient(service.url, key)
  try {
    const category = await api.category(tenant)
    const ids = await api.importEntries(
      pages.map(({ title, text, language }) => ({
        title,
        content: text.trim() === '' ? NOTHING : text,
        category_id: category,
        language,
      })),
    )
    await api.embedded()
    const pageOf = new Map(ids.map((id, i) => [id, pages[i].id]))
    return await run(
      async (text, mode) => (await search(api, text, mode)).map(({ entry }) => pageOf.get(entry.id)!),
      api,
    )
  } finally {
    await api.close()
  }
}

function search(api: ApiClient, text: string, mode: SearchMode, more: object = {}): Promise<Hit[]> {
  return api.call<Hit[]>('POST', '/knowledge-entries/search', { query: text, mode, limit: LIMIT, ...more })
}

async function measureMixed(service: ServiceProcess, mixed: readonly MixedPages[]): Promise<PagesReport['mixed']> {
  const questions = mixed.flatMap((each) => each.questions)
  const runs: Record<SearchMode, Map<string, string[]>> = { keyword: new Map(), semantic: new Map(), hybrid: new Map() }
  for (const [i, { pages, questions: asked }] of mixed.entries()) {
    await withPages(service, `mixed-${i + 1}`, pages, async (ask) => {
      for (const mode of MODES) for (const { text, page } of asked) runs[mode].set(page, await ask(text, mode))
    })
  }
  return ['de', 'en'].map((language) => {
    const judgments = new Map<string, Judgments>(
      questions.filter((question) => question.language === language).map(({ page }) => [page, new Map([[page, 1]])]),
    )
    const mrr10 = (mode: SearchMode): number => scoreRun(judgments, runs[mode]).mrr10
    return {
      language,
      questions: judgments.size,
      mrr10: { keyword: mrr10('keyword'), semantic: mrr10('semantic'), hybrid: mrr10('hybrid') },
    }
  })
}

function judgeMixed(mixed: PagesReport['mixed']): Requirement[] {
  return mixed.map(({ language, mrr10: { hybrid } }) => ({
    what: `questions in ${language} over pages in the other language, hybrid: MRR@10 at least ${fixed(MIXED_MIN[language], 3)}`,
    measured: fixed(hybrid, 3),
    met: hybrid >= MIXED_MIN[language],
  }))
}

function judgeNonsense(nonsense: readonly NonsenseReport[]): Requirement[] {
  return nonsense.map(({ place, queries, irrelevant }) => ({
    what: `${place}: of nonsense queries, at least 95 percent have no hit with a relevance of ${RELEVANT}`,
    measured: `${fixed((100 * irrelevant) / queries, 1)} percent`,
    met: irrelevant / queries >= 0.95,
  }))
}

async function measureTitles(ask: Ask, onRun: Parameters<typeof measurePages>[1]): Promise<PagesReport['titles']> {
  const queries = readJudgedQueries('kubernetes')
  const grades = readGrades('kubernetes')
  const right: Record<SearchMode, Set<string>> = { keyword: new Set(), semantic: new Set(), hybrid: new Set() }
  for (const mode of MODES) {
    const run = new Map<string, string[]>()
    for (const { id, text } of queries) run.set(id, await ask(text, mode))
    onRun(`titles-${mode}`, run)
    for (const { id } of queries) if (isFirstRight(grades.get(id)!, run.get(id)!)) right[mode].add(id)
  }
  const rowOf = (name: string, wanted: readonly JudgedQuery[]) => {
    const share = (mode: SearchMode): number => wanted.filter(({ id }) => right[mode].has(id)).length / wanted.length
    const first = { keyword: share('keyword'), semantic: share('semantic'), hybrid: share('hybrid') }
    return { name, queries: wanted.length, first }
  }
  return [
    rowOf('all', queries),
    ...SPLITS.map((split) =>
      rowOf(
        split,
        queries.filter((query) => query.split === split),
      ),
    ),
  ]
}

/** Measures nonsense over the pages of a tenant, in semantic and in hybrid mode. */
export async function measureNonsenseModes(api: ApiClient): Promise<NonsenseReport[]> {
  const reports: NonsenseReport[] = []
  for (const mode of ['semantic', 'hybrid'] as const) {
    const ask = async (text: string) => {
      const [top] = await search(api, text, mode, { relevance: true })
      if (top === undefined) return null
      return { score: top.score ?? top.similarity, similarity: top.similarity, relevance: top.relevance! }
    }
    reports.push(await measureNonsense(`pages, ${mode}`, readNonsense(), ask))
  }
  return reports
}

export function pagesHeadline({ mixed }: PagesReport): string {
  return `hybrid MRR@10 ${mixed.map(({ language, mrr10 }) => `${fixed(mrr10.hybrid, 3)} (${language})`).join(', ')} across languages`
}

/** Returns the report as Markdown. */
export function pagesText({ machine, pages, mixedPages, mixed, titles, nonsense, requirements }: PagesReport): string {
  const figures = (values: ByMode): string[] => MODES.map((mode) => fixed(values[mode], 3))
  return [
    '## Quality on real pages',
    `\`npm run bench:quality\` imports the Markdown of the Kubernetes documentation. Of ${mixedPages} pages that exist in German and in English, each is there in one language only and asked for with its title in the other, and then the reverse; the first table has MRR@10. Then all ${pages} pages are asked for with words that are titles of pages: the share of queries whose first hit is a page of that title, over all queries, over the half that the ranking is tuned on (\`tune\`) and over the half that is held back (\`held\`). Then come queries that ask for nothing. [How they were chosen](../../bench/judged/README.md).`,
    table(
      ['language of the question', 'questions', ...MODES],
      mixed.map(({ language, questions, mrr10 }) => [
        language === 'de' ? 'German, to English pages' : 'English, to German pages',
        questions,
        ...figures(mrr10),
      ]),
    ),
    table(
      ['titles', 'queries', ...MODES],
      titles.map(({ name, queries, first }) => [name, queries, ...figures(first)]),
    ),
    nonsenseText(nonsense),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
