import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { accessibilityFaults, startChromium, WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}

/**
 * Findings of axe-core in Swagger UI that we cannot fix, none serious: its dialog is not a landmark, and its tables of
 * answers are landmarks without names, and its list of operations leaves out headings that are far from the screen.
 */
const LEFT_BY_THE_LIBRARY = new Set(['region', 'landmark-unique', 'heading-order'])

describe('the reference in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  let service: TestService
  let browser: Browser
  let base: string

  before(async () => {
    service = await TestService.start(DATABASES[0])
    base = service.service.url
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Opens the reference, runs the story, and fails on console errors of the page and on requests to other origins. */
  async function visit(look: Look, story: (page: Page) => Promise<void>): Promise<void> {
    const { colorScheme, width } = look
    // Checks final colours, not those during transitions.
    const settings = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } } as const
    const context = await browser.newContext(settings)
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // Chromium logs a refused request as an error, but a refusal is a normal answer.
      const isRefusal = message.location().url.includes('/api/')
      if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
    })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== base && protocol !== 'data:') complaints.push(`asks ${request.url()}`)
    })
    await page.goto(`${base}/docs`)
    await page.locator('.opblock').first().waitFor()
    await story(page)
    assert.deepEqual(complaints, [])
    await context.close()
  }

  async function assertSound(page: Page, what: string): Promise<void> {
    const faults = await accessibilityFaults(page)
    assert.deepEqual(
      faults.filter((fault) => !LEFT_BY_THE_LIBRARY.has(fault.slice(0, fault.indexOf(':')))),
      [],
      what,
    )
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(excess <= 0, `${what} is ${excess} px wider than the screen`)
  }

  /** Scrolls through the page, whose list holds only operations near the screen, until `isEnough` or the page's end. */
  async function scroll(page: Page, isEnough: (drawn: readonly string[]) => boolean): Promise<void> {
    await page.evaluate('window.scrollTo(0, 0)')
    for (;;) {
      // Two frames: the first takes the new position in, the second has drawn for it.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const drawn = await page.evaluate<string[]>("[...document.querySelectorAll('.opblock')].map(({ id }) => id)")
      if (isEnough(drawn)) return
      const before = await page.evaluate<number>('window.scrollY')
      if ((await page.evaluate<number>('(window.scrollBy(0, 300), window.scrollY)')) === before) return
    }
  }

  async function open(page: Page, operationId: string): Promise<Locator> {
    const operation = page.locator(`.opblock[id$="-${operationId}"]`)
    await scroll(page, (drawn) => drawn.some((id) => id.endsWith(`-${operationId}`)))
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.scopes').waitFor()
    return operation
  }

  async function authorize(page: Page, key: string, what: string): Promise<void> {
    await page.locator('.auth-wrapper .authorize').click()
    await page.locator('.auth-container input').fill(key)
    await assertSound(page, what)
    await page.locator('.auth-container button[type=submit]').click()
    await page.locator('.auth-container .btn-done').click()
  }

  // Reading the whole page takes half a minute of a browser, and few changes touch it.
  const narrow = { colorScheme: 'dark', width: 390 } as const
  const wide = { colorScheme: 'light', width: 1280 } as const
  for (const look of inTier<readonly Look[]>({ gate: [], all: [wide, narrow] })) {
    const what = `${look.colorScheme}, ${look.width} px wide`

    test(`a developer reads, tries an operation with a key, and leaves no key behind: ${what}`, () =>
      visit(look, async (page) => {
        const document = (await service.call('GET', '/openapi.json')).body as { paths: Record<string, object> }
        const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
        const seen = new Set<string>()
        await scroll(page, (drawn) => (drawn.forEach((id) => seen.add(id)), false))
        assert.equal(seen.size, operations.length)
        for (const head of ['Credentials', 'Pages of lists', 'Limits', 'Errors']) {
          await page.getByRole('heading', { level: 2, name: head, exact: true }).waitFor()
        }
        await assertSound(page, 'the page')

        await authorize(page, service.adminKey, 'the dialog')
        const listing = await open(page, 'listEntries')
        await assertSound(page, 'an operation with parameters')
        await listing.locator('button.execute').click()
        await listing.locator('.live-responses-table').waitFor()
        assert.match(await listing.locator('.live-responses-table').innerText(), /\b200\b/)

        const creating = await open(page, 'createEntry')
        await assertSound(page, 'an operation with a body')
        await creating.locator('textarea').first().fill('{"title": "Tried out"}')
        await creating.locator('button.execute').click()
        await creating.locator('.live-responses-table').waitFor()
        assert.match(await creating.locator('.live-responses-table').innerText(), /\b422\b/)
        await assertSound(page, 'an answer')

        const stored = '[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]'
        assert.deepEqual(await page.evaluate(stored), [[], [], ''])
        await page.reload()
        await page.locator('.auth-wrapper .authorize.unlocked').waitFor()
      }))
  }

  test('a developer finds an operation by words of its path and title, with its scope and samples', () =>
    visit({ colorScheme: 'light', width: 1280 }, async (page) => {
      await page.locator('.operation-filter-input').fill('post entries meaning')
      await page.locator('.opblock').nth(1).waitFor({ state: 'detached' })
      const search = await open(page, 'searchEntries')
      assert.equal(await search.locator('.scopes').innerText(), 'Scope: knowledge:read')
      const samples = search.locator('.request-snippets')
      const address = `${base}/api/knowledge/knowledge-entries/search`
      const curl = await samples.innerText()
      for (const part of ["curl -X 'POST'", address, 'Authorization: Bearer ks_…', '"query": "connect an assistant"']) {
        assert.ok(curl.includes(part), `${part} in ${curl}`)
      }
      await samples.getByText('TypeScript').click()
      await samples.getByText('await fetch').waitFor()
      const sample = await samples.innerText()
      const program = sample.slice(sample.indexOf('const response'))
      const sent: unknown[] = []
      const fetch = (...call: unknown[]) => (sent.push(call), { status: 200, text: () => '' })
      const log = { log: () => undefined }
      const run = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor
      await new run('fetch', 'console', program)(fetch, log)
      const headers = { Authorization: 'Bearer ks_…', 'Content-Type': 'application/json' }
      const body = '{"query":"connect an assistant","mode":"hybrid","limit":3}'
      assert.deepEqual(sent, [[address, { method: 'POST', headers, body }]])
    }))

  test('trying an operation out sends its example, and claims no gateway', () =>
    visit({ colorScheme: 'light', width: 1280 }, async (page) => {
      await authorize(page, service.adminKey, 'the dialog')
      const creating = await open(page, 'createCategory')
      const sample = await creating.locator('.request-snippets').innerText()
      assert.match(sample, /"name": "Returns"/)
      assert.equal(await creating.locator('tr[data-param-name="X-Audit-Source"] input').inputValue(), '')
      assert.deepEqual(JSON.parse(await creating.locator('textarea').first().inputValue()), { name: 'Returns' })
      const post = page.waitForRequest((request) => request.method() === 'POST')
      await creating.locator('button.execute').click()
      const headers = (await post).headers()
      assert.deepEqual(
        [headers['x-audit-source'], headers['x-scopes'], headers['x-client-id']],
        [undefined, undefined, undefined],
      )
      await creating.locator('.live-responses-table').waitFor()
      assert.match(await creating.locator('.live-responses-table').innerText(), /\b201\b/)

      const reading = await open(page, 'getCategory')
      const id = await reading.locator('tr[data-param-name="category_id"] input').inputValue()
      assert.match(id, /^[\da-f-]{36}$/)
      await reading.locator('button.execute').click()
      await reading.locator('.live-responses-table').waitFor()
      assert.match(await reading.locator('.live-responses-table').innerText(), /\b404\b/)
    }))
})
