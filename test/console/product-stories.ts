import assert from 'node:assert/strict'
import { inTier } from '../support/tier.ts'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { type Look, LOOKS } from './visitor.ts'
import { until } from '../support/patience.ts'

const SLUG = 'boats'
const PRODUCTS = '/api/knowledge/products'

/** Declares the stories of people with the products of a shop. */
export function productStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  let site = ''
  const ids: Record<string, string> = {}

  const push = async (lines: readonly object[], query = '') => {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    await stage.service.call('POST', `${PRODUCTS}/bulk?site_id=${SLUG}${query}`, { body, headers })
  }
  const boats = Array.from({ length: 120 }, (_, i) => ({
    external_id: `boat-${i}`,
    title: `Rowing boat ${i}`,
    language: 'en',
    brand: i % 3 === 0 ? 'Nixe' : 'Welle',
    category: i % 2 === 0 ? 'Boats > Rowing > Wood' : 'Boats > Rowing',
    price_current: 100 + i,
    availability: i % 4 === 0 ? 'OutOfStock' : 'InStock',
  }))
  const family = [
    { external_id: 'oar', title: 'Oar', language: 'en', is_parent: true, brand: 'Welle' },
    { external_id: 'oar-l', title: 'Oar, long', language: 'en', is_variant: true, parent_external_id: 'oar' },
  ]
  const ready = async (): Promise<void> => {
    if (site !== '') return
    const { body } = await stage.service.call('POST', '/api/knowledge/sites', { body: { slug: SLUG, name: 'Boats' } })
    site = body.id
    await push([...boats, ...family], '&sync=full')
    const listed = await stage.service.call('GET', `${PRODUCTS}?site_id=${SLUG}`)
    for (const { external_id: name, id } of listed.body) ids[name] = id
  }

  inGate('a product is found by words, brand and category, and Back undoes one choice at a time', async () => {
    await ready()
    for (const look of inTier<readonly Look[]>({ gate: [LOOKS[1]], all: LOOKS })) {
      const visitor = await stage.visit(look)
      const { page } = visitor
      await visitor.signIn(PEOPLE.reader, PASSWORD, `/console/products?site=${SLUG}`)
      const count = page.locator('.products-count')
      await count.filter({ hasText: '122' }).waitFor()
      if (look.width < 1_000) await page.locator('.products-open button').click()
      await page.locator('.facet-line button', { hasText: 'Boats' }).click()
      await count.filter({ hasText: '120' }).waitFor()
      await page.locator('.facet-line', { hasText: 'Nixe' }).locator('label').click()
      await count.filter({ hasText: '40' }).waitFor()
      assert.equal(await page.locator('.facet-line', { hasText: 'Welle' }).locator('.facet-count').innerText(), '80')
      await page.locator('.products-search input').fill('boat 99')
      await page.locator('.data-body a').first().filter({ hasText: 'Rowing boat 99' }).waitFor()
      await visitor.assertSound(`filtered products, ${look.width} px`)
      await page.goBack()
      await count.filter({ hasText: '40' }).waitFor()
      assert.equal(await page.locator('.products-search input').inputValue(), '')
      await page.goBack()
      await count.filter({ hasText: '120' }).waitFor()
      await visitor.close()
    }
  })

  inRest('pages of a long list lead to its end, and a broken link still shows products', async () => {
    await ready()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD, `/console/products?site=${SLUG}&sort=nonsense&min=x&brand=7`)
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText('Rows 1–100 of about 122').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Rows 101–122 of about 122').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Next page' }).isDisabled())
    await visitor.close()
  })

  inGate(
    'a reader sees a product with its variants and may not delete it; an editor deletes it after a question',
    async () => {
      await ready()
      const reader = await stage.visit()
      await reader.signIn(PEOPLE.reader, PASSWORD, `/console/products/${ids.oar}`)
      await reader.page.getByRole('table', { name: 'Variants' }).getByRole('link', { name: 'Oar, long' }).click()
      await reader.heading('Oar, long')
      await reader.page.getByText('Variant of').getByRole('link', { name: 'Oar' }).waitFor()
      assert.equal(await reader.page.getByRole('button', { name: 'Delete' }).count(), 0)
      await reader.close()

      const editor = await stage.visit()
      const { page } = editor
      await editor.signIn(PEOPLE.editor, PASSWORD, `/console/products/${ids['boat-1']}`)
      await page.getByRole('button', { name: 'Delete' }).focus()
      await editor.press('Enter')
      await page.getByRole('alertdialog', { name: 'Delete “Rowing boat 1”?' }).waitFor()
      await editor.focusOn('Cancel')
      await editor.press('Tab', 'Enter')
      await page.getByText('The product is deleted.').waitFor()
      await editor.heading('Products')
      assert.equal((await stage.service.call('GET', `${PRODUCTS}/${ids['boat-1']}`)).status, 404)
      await editor.close()
    },
  )

  inRest('an editor reads why a sync retired nothing, and which lines were refused', async () => {
    await ready()
    await push(boats.slice(0, 3), '&sync=full')
    await push([boats[4], { external_id: 'bad', title: '', language: 'en' }])
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `/console/products/syncs?site=${SLUG}`)
    await page.getByText(/were missing from the feed, more than may be retired at once/).waitFor()
    await page.getByRole('button', { name: 'Show refused lines' }).first().focus()
    await visitor.press('Enter')
    await page.getByText('Line 2 · bad · field “title”').waitFor()
    await page.getByText('First key').first().waitFor()
    await visitor.close()
  })

  inGate('a rule is written beside its preview, saved, and in force with the next search', async () => {
    await ready()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `/console/products/rules?site=${SLUG}`)
    await page.getByRole('link', { name: 'New rule' }).click()
    await visitor.heading('New rule')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('.field', { has: page.locator('[name=name]') })
      .locator('.field-fault')
      .waitFor()
    await page.locator('[name=name]').fill('Boat of the week')
    await page.getByRole('combobox', { name: 'Single products' }).fill('boat 77')
    await page.getByRole('option', { name: /Rowing boat 77/ }).waitFor()
    await visitor.press('ArrowDown', 'Enter')
    await page.getByRole('list', { name: 'Single products' }).getByText('Rowing boat 77').waitFor()
    await page.getByLabel(/^Search words/).fill('rowing boat')
    const ranking = page.locator('.rule-lists > div').last()
    await ranking.locator('li').first().filter({ hasText: 'Rowing boat 77' }).waitFor()
    const today = page.locator('.rule-lists > div').first()
    assert.notEqual((await today.locator('li').first().innerText()).trim(), 'Rowing boat 77')

    await page.getByRole('link', { name: 'Sync runs' }).click()
    await page
      .getByRole('alertdialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Boat of the week' }).waitFor()
    const search = { query: 'rowing boat', site_id: SLUG }
    const first = async (): Promise<string> =>
      (await stage.service.call('POST', `${PRODUCTS}/search`, { body: search })).body.hits[0].product.title
    assert.equal(await first(), 'Rowing boat 77')

    await page.getByRole('switch', { name: 'Use “Boat of the week”' }).focus()
    await visitor.press('Space')
    await until(async () => (await first()) !== 'Rowing boat 77', 'the rule is off')
    await visitor.close()
  })

  inRest('the switch of a rule in an old list changes nothing else of the rule', async () => {
    await ready()
    const path = `/api/knowledge/sites/${site}/merchandising`
    const rule = { name: 'Oars first', action: 'boost', brands: ['Welle'], query: 'oar' }
    const { body: newRule } = await stage.service.call('POST', path, { body: rule })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `/console/products/rules?site=${SLUG}`)
    await page.getByRole('link', { name: 'Oars first' }).waitFor()
    await stage.service.call('PUT', `${path}/${newRule.id}`, {
      body: { ...rule, brands: ['Nixe'], name: 'Nixe first' },
    })
    await page.getByRole('switch', { name: 'Use “Oars first”' }).focus()
    await visitor.press('Space')
    await page.getByRole('link', { name: 'Nixe first' }).waitFor()
    const { body: stored } = await stage.service.call('GET', `${path}/${newRule.id}`)
    assert.deepEqual([stored.is_active, stored.brands, stored.name], [false, ['Nixe'], 'Nixe first'])
    await stage.service.call('DELETE', `${path}/${newRule.id}`)
    await visitor.close()
  })

  inGate('synonyms are written by keyboard alone, and the shop finds by them', async () => {
    await ready()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/products/words')
    await page.getByRole('button', { name: 'New synonyms' }).focus()
    await visitor.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New synonyms' })
    await dialog.getByRole('combobox', { name: 'Words' }).focus()
    await page.keyboard.type('dinghy')
    await visitor.press('Enter')
    await page.keyboard.type('rowing boat')
    await visitor.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).focus()
    await visitor.press('Enter')
    await page.getByRole('table', { name: 'Synonyms' }).getByText('dinghy and rowing boat').waitFor()
    const { body } = await stage.service.call('POST', `${PRODUCTS}/search`, {
      body: { query: 'dinghy', site_id: SLUG, mode: 'keyword' },
    })
    assert.match(body.hits[0].product.title, /Rowing boat/)
    await visitor.close()
  })

  inRest('readers are told who may see sync runs, rules and synonyms, and their menu leaves them out', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD, '/console/products')
    for (const path of ['syncs', 'rules', 'words']) {
      await visitor.goTo(`/console/products/${path}`)
      await page.getByText(/Your role may not see/).waitFor()
    }
    const shop = page.getByRole('list', { name: 'Shop' }).getByRole('link')
    assert.deepEqual(await shop.allInnerTexts(), ['Products', 'What sites show'])
    await visitor.close()
  })
}
