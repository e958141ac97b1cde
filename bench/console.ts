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
import { startChromium } from '../test/support/chromium.ts'
import { fillTenant } from './console/content.ts'
import { type ConsoleReport, consoleText, judgeConsole, type Measured } from './console/report.ts'
import { jump, open, SCENES, unfold, wheel } from './console/scenes.ts'
import { type TaskFigures, traced } from './console/trace.ts'
import { openSearch, typeQuery, type TypingFigures } from './console/typing.ts'
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
/** Words of the first model's vocabulary, of which entries are made. */
const QUERIES = ['reports of the company', 'Wasser und Energie', 'language of music']
/** Steps of unfolding the tree in one trace. */
const STEPS_TRACED = 50

const service = await startServiceProcess({
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  BOOTSTRAP_API_KEY: KEY,
  ...(values.data === undefined ? {} : { DATA_DIR: values.data }),
})
const api = new ApiClient(service.url, KEY, 16)
const browser = await startChromium()
try {
  await fillOnce()
  const page = await signedIn()
  const rows = await measureScenes(page)
  const typing = isWanted('search') ? await measureTyping(page) : null
  const report: ConsoleReport = {
    machine: machineFacts(),
    amounts: AMOUNTS,
    chromium: browser.version(),
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
  await browser.close()
  await api.close()
  await service.stop()
}

/** Fills the tenant, unless the folder holds one that an earlier run has filled with as much. */
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
  process.stderr.write(`The tenant was ready after ${((performance.now() - began) / 1_000).toFixed(0)} s\n`)
}

async function signedIn(): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await page.goto(`${service.url}/console/sign-in`)
  await page.locator('[name=email]').fill('admin@localhost')
  await page.locator('[name=password]').fill(PASSWORD)
  await page.locator('form:has([name=email]) button[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.startsWith('/console/sign-in'))
  return page
}

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.split(',').includes(name)
}

async function measureScenes(page: Page): Promise<Measured[]> {
  const rows: Measured[] = []
  for (const scene of SCENES) {
    if (!isWanted(scene.name)) continue
    const note = (what: string, figures: TaskFigures): number => rows.push({ page: scene.name, what, figures })
    note('open', await best(page, () => open(page, service.url, scene)))
    if (scene.scrolled !== 'window') note('unfold', await unfolded(page))
    note('wheel', await best(page, () => wheel(page, scene)))
    note('jump', await best(page, () => jump(page, scene)))
  }
  return rows
}

/** Unfolds the whole tree, and traces it some steps at a time, since a trace of all would be huge. */
async function unfolded(page: Page): Promise<TaskFigures> {
  const parts: TaskFigures[] = []
  const progress = { isAll: false }
  while (!progress.isAll) {
    const act = async (): Promise<void> => {
      progress.isAll = await unfold(page, STEPS_TRACED)
    }
    parts.push(await traced(browser, page, act))
  }
  return parts.reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
}

async function measureTyping(page: Page): Promise<{ row: Measured; figures: readonly TypingFigures[] }> {
  const best: { figures: TaskFigures; typed: TypingFigures }[] = []
  for (const query of QUERIES) {
    let typed: TypingFigures | undefined
    const rounds: { figures: TaskFigures; typed: TypingFigures }[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      await openSearch(page, service.url)
      const figures = await traced(browser, page, async () => {
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

/** The round whose longest task was shortest: what lengthens tasks from outside, such as a cold cache, is left out. */
async function best(page: Page, act: () => Promise<void>): Promise<TaskFigures> {
  const rounds: TaskFigures[] = []
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await traced(browser, page, act))
  return leastOf(rounds)
}

function leastOf(rounds: readonly TaskFigures[]): TaskFigures {
  return rounds.reduce((one, other) => (other.cpuMs < one.cpuMs ? other : one))
}
