import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Examples } from '../../scripts/examples.ts'
import { accessibilityFaults, startChromium, WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { ATTRIBUTES, PRODUCTS, pushProducts, writeHandbook } from './catalogue.ts'
import { found, HANG_MS, until } from '../support/patience.ts'

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const
const SHOP = '/examples/storefront/'
const HANDBOOK = '/examples/intranet/'
/** Milliseconds between two keys: ten keys a second. */
const KEY_DELAY_MS = 100

/** Script of a page that records, in order, the query of each result that its boxes show. */
const WATCH = `(() => {
  window.shown = []
  for (const id of ['suggestions', 'results']) {
    const box = document.getElementById(id)
    if (box === null) continue
    const watcher = new MutationObserver(() => window.shown.push({ id, query: box.dataset.query }))
    watcher.observe(box, { attributes: true, attributeFilter: ['data-query'], childList: true })
  }
})()`

describe('the example pages in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  let service: TestService
  let examples: Examples
  let browser: Browser
  let preflights: string[]

  const prepare = async (): Promise<void> => {
    // Pages of one address ask more often here than visitors do.
    service = await TestService.start(DATABASES[0], { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    examples = await Examples.listen(0)
    await writeHandbook(service)
    // A page that exists, so that a click really leaves the shop.
    await pushProducts(service, `${examples.origin}/examples/intranet/`)
    const body = { name: 'examples', origins: [examples.origin], sections: ['products', 'knowledge'] }
    const { key } = (await service.call('POST', '/api/knowledge/api-keys/publishable', { body })).body
    examples.configure({ url: service.service.publicUrl, key, site: 'default', attributes: ATTRIBUTES })
    preflights = []
    service.service.app.server.on('request', ({ method, url }) => {
      if (method === 'OPTIONS') preflights.push(url ?? '')
    })
    // The index is read at the first search.
    const searched = await service.call('POST', '/api/knowledge/products/search', { body: { query: 'lamp' } })
    assert.equal(searched.status, 200)
    browser = await startChromium()
  }
  before(prepare, { timeout: HANG_MS })
  after(async () => {
    await browser?.close()
    await examples?.close()
    await service?.stop()
  })

  const open = async (
    path: string,
    look: (typeof LOOKS)[number] = LOOKS[0],
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> => {
    const context = await browser.newContext({ locale: 'en-GB', ...look })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.goto(examples.origin + path)
    return { page, context, complaints }
  }
  const sound = async (page: Page, what: string): Promise<void> => {
    assert.deepEqual(await accessibilityFaults(page), [], what)
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(excess <= 0, `${what} is ${excess} px wider than the screen`)
  }
  const shownIn = (page: Page, query: string) => page.locator(`#results[data-query="${query}"] li`).first().waitFor()
  const clickOn = (id: string | null) => {
    const clicks = service.database.queries
      .selectFrom('search_clicks')
      .selectAll()
      .where('product_id', '=', id ?? '')
    return found(() => clicks.executeTakeFirst(), `a click on ${id} is stored`)
  }

  test('both pages are accessible and fit the screen, light and dark, wide and narrow, empty and full', async () => {
    for (const [i, look] of LOOKS.entries()) {
      // In the gate each page has a light and a dark look, of which one is wide and one narrow.
      const paths = inTier({ gate: [i === 0 || i === 3 ? SHOP : HANDBOOK], all: [SHOP, HANDBOOK] })
      for (const path of paths) {
        const { page, context, complaints } = await open(path, look)
        const what = `${path} ${look.colorScheme} ${look.viewport.width}`
        if (path === SHOP) await shownIn(page, '')
        await sound(page, `${what}, before typing`)
        await page.locator('#query').fill('lamp')
        await shownIn(page, 'lamp')
        await page.locator('#suggestions li').first().waitFor()
        await sound(page, `${what}, with results`)
        await page.locator('#query').fill('zzqqxxyy')
        await page.locator('#results[data-query="zzqqxxyy"]').waitFor({ state: 'attached' })
        await sound(page, `${what}, after nonsense`)
        if (path === HANDBOOK) {
          await page.locator('#query').fill('lamp')
          await shownIn(page, 'lamp')
          await page.keyboard.press('Escape')
          await page.locator('#results button').first().click()
          await page.locator('dialog[open]').waitFor()
          await sound(page, `${what}, reading`)
        }
        assert.deepEqual(complaints, [], what)
        await context.close()
      }
    }
  })

  for (const [path, typed] of [
    [SHOP, 'cordless desk lamp warm white'],
    [HANDBOOK, 'how do I return a lamp'],
  ]) {
    test(`${path}: at ten keys a second, however slow some answers are, no older result replaces a newer one`, async () => {
      const { page, context, complaints } = await open(path)
      if (path === SHOP) await shownIn(page, '')
      // Every other answer takes longer than several keys.
      let requests = 0
      await page.route(/suggest|search$/, async (route) => {
        const response = await route.fetch()
        if (requests++ % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 450))
        await route.fulfill({ response })
      })
      await page.evaluate(WATCH)
      await page.locator('#query').pressSequentially(typed, { delay: KEY_DELAY_MS })
      await shownIn(page, typed)
      // The slow ones arrive now, if the page still waits for them.
      await page.waitForTimeout(600)
      const results = await page.evaluate<{ id: string; query: string }[]>('window.shown')
      for (const id of ['suggestions', 'results']) {
        const lengths = results.filter((each) => each.id === id).map(({ query }) => query.length)
        assert.ok(lengths.length > 0, id)
        assert.deepEqual(
          lengths,
          [...lengths].sort((a, b) => a - b),
          `${id}: ${JSON.stringify(results)}`,
        )
        assert.equal(lengths.at(-1), typed.length, id)
      }
      assert.ok(new Set(results.map(({ query }) => query)).size > 1, 'something was shown while typing')
      assert.deepEqual(complaints, [])
      // The page has ended some requests meanwhile.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    })
  }

  test('a shopper takes a suggestion with the keyboard, narrows by brand, sees more, and the click is counted', async () => {
    const { page, context } = await open(SHOP)
    await shownIn(page, '')
    assert.equal(await page.locator('#status').textContent(), `${PRODUCTS.toLocaleString('en')} products`)
    const untilStatusIsNot = (text: string | null) =>
      until(
        async () => (await page.locator('#status').textContent()) !== text,
        () => `the page says more than ${text}`,
      )
    const query = page.locator('#query')
    await query.pressSequentially('cordl')
    await page.locator('#suggestions li', { hasText: 'cordless' }).first().waitFor()
    assert.equal(await query.getAttribute('aria-expanded'), 'true')
    await page.keyboard.press('ArrowDown')
    const active = await query.getAttribute('aria-activedescendant')
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true')
    const text = await page.locator(`#${active} span`).first().textContent()
    await page.keyboard.press('Enter')
    await shownIn(page, text!)
    assert.equal(await query.getAttribute('aria-expanded'), 'false')
    const before = await page.locator('#status').textContent()
    const brand = page.locator('input[name=brand]').first()
    const name = await brand.getAttribute('value')
    await brand.check()
    await untilStatusIsNot(before)
    assert.deepEqual(new Set(await page.locator('.card .brand').allTextContents()), new Set([name]))
    const ofBrand = await page.locator('#status').textContent()
    await page.locator('input[name="attributes.size"][value=XL]').check()
    await untilStatusIsNot(ofBrand)
    for (const title of await page.locator('.card h2').allTextContents()) assert.match(title, / XL, /)
    assert.ok((await page.locator('input[name="attributes.size"]').count()) > 1, 'other sizes can still be chosen')
    const cards = await page.locator('.card').count()
    await page.locator('#more').click()
    await page.locator('.card').nth(cards).waitFor()
    const third = page.locator('.card a').nth(2)
    const id = await third.getAttribute('data-id')
    await third.click()
    await page.waitForURL('**/intranet/**')
    const click = await clickOn(id)
    assert.deepEqual([click.rank, click.action, click.user_id], [3, 'click', null])
    assert.notEqual(click.visitor, null)
    assert.deepEqual(
      preflights.filter((url) => url.startsWith('/api/knowledge/suggest')),
      [],
      'a keystroke costs no preflight',
    )
    await context.close()
  })

  test('a shopper sorts by price, and is led to the page that the shop has for a query', async () => {
    const sites = await service.call('GET', '/api/knowledge/sites')
    const rule = { name: 'Returns', action: 'redirect', query: 'send back', address: HANDBOOK }
    const rules = `/api/knowledge/sites/${sites.body[0].id}/merchandising`
    assert.equal((await service.call('POST', rules, { body: rule })).status, 201)
    const { page, context } = await open(SHOP)
    await shownIn(page, '')
    await page.locator('#query').fill('solar torch')
    await shownIn(page, 'solar torch')
    await page.keyboard.press('Escape')
    await page.locator('#sort').selectOption('Price, high to low')
    const prices = async () =>
      (await page.locator('.card .price').allTextContents()).map((text) => Number(/[\d.]+/.exec(text)![0]))
    const isSorted = (all: readonly number[]) => all.every((price, i) => i === 0 || price <= all[i - 1])
    for (let texts = await prices(); !isSorted(texts); texts = await prices()) await page.waitForTimeout(20)
    assert.ok((await prices())[0] > 100)
    await page.locator('#query').fill('send back')
    await page.locator('#redirect a').waitFor()
    assert.equal(await page.locator('.meant').count(), 0)
    assert.equal(await page.locator('#redirect a').getAttribute('href'), `${examples.origin}${HANDBOOK}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${HANDBOOK}`)
    await context.close()
  })

  for (const [path, misspelt, meant] of [
    [SHOP, 'gliblfrunz', null],
    [SHOP, 'gren elephant trunk', 'green elephant trunk'],
    [HANDBOOK, 'gliblfrunz', null],
    [HANDBOOK, 'wie viel Zeit habe ich bis zum Mond', null],
  ] as const) {
    test(`${path}: a query that no entry or product answers finds nothing, and the page says so: ${misspelt}`, async () => {
      const { page, context } = await open(path)
      await page.locator('#query').fill(misspelt)
      await page.getByText(`Nothing found for “${misspelt}”`).waitFor()
      assert.equal(await page.locator('#results li').count(), 0)
      assert.deepEqual(await page.locator('.meant').allTextContents(), meant === null ? [] : [meant])
      if (meant !== null) {
        // Suggestions lie over it until they are closed.
        await page.keyboard.press('Escape')
        await page.locator('.meant').click()
        await page.locator(`#results[data-query="${meant}"]`).waitFor({ state: 'attached' })
        assert.equal(await page.locator('#query').inputValue(), meant)
      }
      await context.close()
    })
  }

  test('a misspelt question finds its page, suggestions complete it, and reading a page is no search', async () => {
    const { page, context } = await open(HANDBOOK)
    const searches: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/search')) searches.push(request.url())
    })
    await page.locator('#query').pressSequentially('warr')
    await page.locator('#suggestions li', { hasText: 'Warranty' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shownIn(page, (await page.locator('#query').inputValue()).trim())
    assert.equal(await page.locator('#results button').first().textContent(), 'Warranty')
    await page.locator('#query').fill('waranty')
    await shownIn(page, 'waranty')
    assert.equal(await page.locator('#results button').first().textContent(), 'Warranty')
    await page.keyboard.press('Escape')
    const before = searches.length
    await page.locator('#results button').first().click()
    await page.locator('dialog[open]').waitFor()
    assert.match((await page.locator('#reader-text').textContent())!, /Batteries have one year/)
    assert.equal(searches.length, before)
    await context.close()
  })

  test('a colleague finds the page that answers, reads it, and narrows by language', async () => {
    const { page, context } = await open(HANDBOOK)
    await page.keyboard.press('/')
    await page.keyboard.type('when do I get my money back')
    await shownIn(page, 'when do I get my money back')
    await page.keyboard.press('Escape')
    const first = page.locator('#results li').first().locator('button')
    assert.equal(await first.textContent(), 'Refunds')
    const excerpt = page.locator('#results li .excerpt').first()
    assert.match((await excerpt.textContent())!, /^You get your money back .* the lamp has arrived/)
    assert.ok((await excerpt.locator('mark').allTextContents()).includes('money'))
    await first.click()
    await page.locator('dialog[open]').waitFor()
    const { rank, section } = await clickOn(await first.getAttribute('data-id'))
    assert.deepEqual([rank, section], [1, 'knowledge'])
    assert.match((await page.locator('#reader-text').textContent())!, /fourteen days/)
    await page.keyboard.press('Escape')
    const focused = await page.evaluate<string>('document.activeElement.dataset.id')
    assert.equal(focused, await first.getAttribute('data-id'), 'the focus comes back')
    await page.locator('#query').fill('lamp lampe')
    await shownIn(page, 'lamp lampe')
    await page.keyboard.press('Escape')
    await page.locator('#language').selectOption('German')
    const languages = () => page.locator('#results .meta span:nth-child(2)').allTextContents()
    const isGerman = (all: readonly string[]) => all.length > 0 && all.every((each) => each === 'German')
    for (let texts = await languages(); !isGerman(texts); texts = await languages()) await page.waitForTimeout(20)
    await context.close()
  })

  test('the page of the guide searches during typing, and counts a click', async () => {
    const [, html] = /```html\n(.*?)```/s.exec(readFileSync('docs/guides/search-from-a-page.md', 'utf8'))!
    const { body } = await service.call('POST', '/api/knowledge/api-keys/publishable', {
      body: { name: 'guide', origins: [examples.origin], sections: ['products'] },
    })
    const written = html
      .replace('https://knowledge.example', service.service.publicUrl)
      .replace('pk_…', body.key)
      .replace('./client/index.js', '/client/dist/index.js')
    examples.give('/guide.html', `<!doctype html>${written}`)
    const { page, context } = await open('/guide.html')
    await page.locator('#query').pressSequentially('lantern', { delay: KEY_DELAY_MS })
    await page.locator('#hits li', { hasText: 'lantern' }).first().waitFor()
    const isClick = (url: string) => url.endsWith('/search/clicks')
    const [answer] = await Promise.all([
      page.waitForResponse((response) => isClick(response.url()) && response.request().method() === 'POST'),
      page.locator('#hits li').first().click(),
    ])
    assert.equal(answer.status(), 202)
    await context.close()
  })

  test('a page of another origin gets nothing with the key', async () => {
    const strange = await Examples.listen(0)
    const { key } = (
      await service.call('POST', '/api/knowledge/api-keys/publishable', {
        body: { name: 'strange', origins: ['https://shop.example'], sections: ['products'] },
      })
    ).body
    strange.configure({ url: service.service.publicUrl, key })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${strange.origin}/examples/storefront/`)
    await page.getByText('The search is not available.').waitFor()
    assert.equal(await page.locator('.card').count(), 0)
    await context.close()
    await strange.close()
  })
})
