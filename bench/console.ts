/**
 * Measures whether the console stays smooth over a large tenant: one service with 100,000 entries, 20,000 categories and
 * 50,000 products, and its pages in a real Chromium under a trace. Lists are opened and scrolled, and queries typed at
 * ten keys a second. `--data FOLDER` keeps the tenant there for the next run; without it, it is made anew. Each
 * measurement is made `--rounds` times, and the best one counts. `--only entries,search` measures some pages. Exits with 1 if a task takes too long or an answer is
 * stale. `--write` updates docs/benchmarks.md.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { fillTenant } from './console/content.ts'
import { type ConsoleReport, consoleText, judgeConsole, type Measured } from './console/report.ts'
import { jump, open, pick, SCENES, unfold, wheel } from './console/scenes.ts'
import type { TaskFigures } from './console/trace.ts'
import { openSearch, typeQuery, type TypingFigures } from './console/typing.ts'
import { Visit } from './console/visit.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    categories: { type: 'string', default: '20000' },
    products: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const PASSWORD = 'correct horse battery'
const KEY = `ks_${'b'.repeat(40)}`
const AMOUNTS = {
  entries: Number(values.entries),
  categories: Number(values.categories),
  products: Number(values.products),
  people: 2_000,
  binned: 2_000,
}
/** Queries from words of the first model's vocabulary, of which entries are made. */
const QUERIES = ['reports of the company', 'Wasser und Energie', 'language of music']

const service = await startServiceProcess({
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  BOOTSTRAP_API_KEY: KEY,
  ...(values.data === undefined ? {} : { DATA_DIR: values.data }),
})
const api = new ApiClient(service.url, KEY, 16)
let visit: Visit | undefined
try {
  await fillOnce()
  visit = await Visit.begin(service.url, PASSWORD)
  const rows = await measureScenes(visit)
  const typing = isWanted('search') ? await measureTyping(visit) : null
  const report: ConsoleReport = {
    machine: machineFacts(),
    amounts: AMOUNTS,
    chromium: visit.version,
    rounds: Number(values.rounds),
    rows: typing === null ? rows : [...rows, typing.row],
    typing: typing?.figures ?? [],
  }
  const requirements = judgeConsole(report)
  console.log(consoleText(report))
  if (values.write) {
    saveReport('console', report)
    writeDocument()
  }
  if (requirements.some(({ met }) => !met)) process.exitCode = 1
} finally {
  await visit?.end()
  await api.close()
  await service.stop()
}

/** Fills the tenant, unless an earlier run has filled one in the folder with the same amounts. */
async function fillOnce(): Promise<void> {
  const folder = values.data ?? service.dataDir
  const done = join(folder, `filled-${Object.values(AMOUNTS).join('-')}`)
  const began = performance.now()
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    await fillTenant(api, folder, AMOUNTS)
    writeFileSync(done, '')
  }
  await api.call('POST', '/knowledge-entries/search', { query: QUERIES[0] })
  await api.call('POST', '/products/browse', { query: '', limit: 1 })
  tell(`The tenant was ready after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

/** Prints a line of progress, because a full run takes many minutes. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.split(',').includes(name)
}

async function measureScenes(visitor: Visit): Promise<Measured[]> {
  const rows: Measured[] = []
  for (const scene of SCENES) {
    if (!isWanted(scene.name)) continue
    const reopen = (page: Page): Promise<void> => open(page, service.url, scene)
    const unfoldAnew = async (page: Page): Promise<void> => {
      await reopen(page)
      await unfold(page)
    }
    const isTree = scene.scrolled !== 'window'
    const note = async (what: string, act: (page: Page) => Promise<void>): Promise<void> => {
      const figures = await best(visitor, isTree ? unfoldAnew : reopen, act)
      rows.push({ page: scene.name, what, figures })
      tell(`${scene.name}, ${what}: ${figures.scriptMs.toFixed(1)} ms of scripts in the longest task`)
    }
    await note('open', reopen)
    if (isTree) await note('unfold', unfoldAnew)
    await note('wheel', (page) => wheel(page, scene))
    await note('jump', (page) => jump(page, scene))
    const { pick: picked } = scene
    if (picked !== undefined) await note('pick', (page) => pick(page, picked))
  }
  return rows
}

async function measureTyping(visitor: Visit): Promise<{ row: Measured; figures: readonly TypingFigures[] }> {
  const best: { figures: TaskFigures; typed: TypingFigures }[] = []
  for (const query of QUERIES) {
    let typed: TypingFigures | undefined
    const rounds: { figures: TaskFigures; typed: TypingFigures }[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const begin = (page: Page): Promise<void> => openSearch(page, service.url)
      await begin(visitor.page)
      const figures = await visitor.traced(begin, async (page) => {
        typed = await typeQuery(page, query)
      })
      rounds.push({ figures, typed: typed! })
    }
    // The quickest answer counts, and every stale one.
    const quickest = rounds.toSorted((one, other) => one.typed.lastAnswerMs - other.typed.lastAnswerMs)[0]
    const stale = rounds.reduce((sum, one) => sum + one.typed.stale, 0)
    best.push({ figures: leastOf(rounds.map((one) => one.figures)), typed: { ...quickest.typed, stale } })
  }
  const worst = best.map((one) => one.figures).reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
  return { row: { page: 'search', what: 'type', figures: worst }, figures: best.map((one) => one.typed) }
}

/**
 * Returns the round whose longest task was shortest: what lengthens tasks from outside, such as a cold cache, is left
 * out.
 */
async function best(
  visitor: Visit,
  prepare: (page: Page) => Promise<void>,
  act: (page: Page) => Promise<void>,
): Promise<TaskFigures> {
  const rounds: TaskFigures[] = []
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await visitor.traced(prepare, act))
  return leastOf(rounds)
}

function leastOf(rounds: readonly TaskFigures[]): TaskFigures {
  return rounds.reduce((one, other) => (other.cpuMs < one.cpuMs ? other : one))
}
