import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { until } from '../support/patience.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

const INSIGHTS = '/console/insights'

/** Declares the stories of people who learn from searches and clicks, and act on it. */
export function insightsStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate(
    'an editor sees what finds nothing, and one step leads to the missing entry with the query as its title',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.shopkeeper, PASSWORD)
      await visitor.navigate('Insights')
      await visitor.heading('Insights')
      const missing = page.getByRole('table', { name: 'Searches that find nothing' })
      await missing.getByText('Lieferung in die Schweiz').waitFor()
      await page.getByText(/^Of 100 searches, \d+ led to a click\.$/).waitFor()
      await page.getByRole('img', { name: /^[\d,]+ searches, about \d+ a day\. Most were on / }).waitFor()
      await page.getByRole('table', { name: 'What people open most' }).getByText('Garantie auf Akkus').waitFor()
      await page.getByText(/^Most searches name no site: [\d.]+% of all\.$/).waitFor()
      const chart = await page.getByRole('figure', { name: 'Searches over time' }).getByRole('img').boundingBox()
      assert.ok(chart !== null)
      await page.mouse.move(chart.x + chart.width / 2, chart.y + chart.height / 2)
      await page
        .locator('.chart-note')
        .filter({ hasText: /Searches \d+/ })
        .waitFor()
      await page.getByRole('link', { name: 'Write entry: “Lieferung in die Schweiz”' }).click()
      await page.waitForURL((url) => url.pathname === '/console/entries/new')
      assert.equal(new URL(page.url()).searchParams.get('title'), 'Lieferung in die Schweiz')
      await visitor.close()
    },
  )

  inRest(
    'a synonym is added by keyboard where a product search finds nothing, and the dialog asks for a word',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.shopkeeper, PASSWORD, `${INSIGHTS}?section=products`)
      const missing = page.getByRole('table', { name: 'Searches that find nothing' })
      await missing.getByText('Akkubohrer').waitFor()
      assert.equal(await page.getByRole('link', { name: /^Write entry/ }).count(), 0, 'a product is not written here')
      await page.getByRole('button', { name: 'Add synonym for “Akkubohrer”' }).focus()
      await visitor.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Add a synonym' })
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Save' }).press('Enter')
      await dialog.getByText('Enter at least one word.').waitFor()
      await visitor.assertSound('a synonym without words')
      await dialog.getByRole('combobox', { name: 'Words' }).focus()
      await page.keyboard.type('Akkuschrauber')
      await visitor.press('Enter')
      await dialog.getByRole('button', { name: 'Save' }).press('Enter')
      await page.getByText('Saved. It works from the next search on.').waitFor()
      await visitor.focusOn('Add synonym for “Akkubohrer”')
      const key = await stage.service.key(['products:read', 'products:write'], 'shop')
      const { body } = await stage.service.call('GET', '/api/knowledge/search-vocabulary', { key })
      assert.deepEqual(body.synonyms, [{ from: 'Akkubohrer', words: ['Akkuschrauber'] }])
      const answer = await stage.service.call('POST', '/api/knowledge/products/search', {
        key,
        body: { query: 'Akkubohrer', mode: 'keyword' },
      })
      assert.match(JSON.stringify(answer.body), /Akkuschrauber 18 V/)
      await visitor.close()
    },
  )

  inRest('filters are in the address, and each step goes back', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.shopkeeper, PASSWORD, INSIGHTS)
    const top = page.getByRole('table', { name: 'Most frequent searches' })
    await top.getByText('Akkuschrauber').waitFor()
    await page.getByRole('button', { name: 'Searched in' }).click()
    await page.getByRole('option', { name: 'Knowledge' }).click()
    await top.getByText('Akkuschrauber').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('section'), 'knowledge')
    await page.getByRole('button', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.waitForURL((url) => url.searchParams.get('days') === '7')
    await page.goBack()
    await page.getByRole('button', { name: 'Period' }).filter({ hasText: 'Last 30 days' }).waitFor()
    await page.goBack()
    await top.getByText('Akkuschrauber').waitFor()
    await visitor.close()
  })

  inRest('a chart is also a table and a file, and Back shows the chart again', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.shopkeeper, PASSWORD, `${INSIGHTS}?days=7`)
    const figure = page.getByRole('figure', { name: 'Searches over time' })
    await figure.getByRole('button', { name: 'Show as table' }).click()
    const table = figure.getByRole('table', { name: 'Searches over time' })
    await table.waitFor()
    assert.equal(await table.getByRole('row').count(), 8, 'a heading and seven days')
    const download = page.waitForEvent('download')
    await figure.getByRole('button', { name: 'Export as CSV' }).click()
    const saved = await download
    assert.equal(saved.suggestedFilename(), 'searches.csv')
    const text = await readFile(await saved.path(), 'utf8')
    assert.ok(text.startsWith('\uFEFF'), 'spreadsheets take it for UTF-8')
    const lines = text.trim().split('\r\n')
    assert.equal(lines[0], 'Day,Searches,With a click,Found nothing')
    assert.equal(lines.length, 8)
    assert.match(lines[1] ?? '', /^\d{4}-\d{2}-\d{2},\d+,\d+,\d+$/)
    await page.goBack()
    await table.waitFor({ state: 'detached' })
    await visitor.close()
  })

  inRest(
    'a list of searches is exported, and a search that a spreadsheet would take for a formula is only text',
    async () => {
      const key = await stage.service.key(['knowledge:read', 'visibility:public'], 'shop')
      await stage.service.call('POST', '/api/knowledge/knowledge-entries/search', {
        key,
        body: { query: '=HYPERLINK("a")', mode: 'keyword' },
      })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.shopkeeper, PASSWORD, `${INSIGHTS}?days=7&section=knowledge`)
      const missing = page.getByRole('table', { name: 'Searches that find nothing' })
      await missing.waitFor()
      // The log is written within about a second.
      await until(async () => {
        if ((await missing.getByText('=HYPERLINK').count()) > 0) return true
        await page.reload()
        await missing.waitFor()
        return false
      }, 'the search is in the list')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export as CSV: Searches that find nothing' }).click()
      const text = await readFile(await (await download).path(), 'utf8')
      assert.ok(text.includes(`"'=HYPERLINK(""a"")",1,0,1\r\n`), text)
      await visitor.close()
    },
  )

  inRest('an editor sees what clicks have taught for a search and why, and lets it learn at once', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.shopkeeper, PASSWORD, `${INSIGHTS}?days=90`)
    await page.getByText('On the site “Default”.').waitFor()
    await page
      .getByRole('table', { name: 'Searches that have learnt' })
      .getByRole('button', { name: 'What was learnt for “Akkuschrauber”' })
      .click()
    await page.getByRole('heading', { name: '“Akkuschrauber”' }).waitFor()
    const learnt = page.getByRole('table', { name: 'What clicks have taught' })
    await learnt.getByText(/^Up by /).waitFor()
    await learnt
      .getByText(/^\d+ of \d+ visitors chose it: /)
      .first()
      .waitFor()
    await learnt
      .getByRole('row')
      .filter({ hasText: 'Akkuschrauber 12 V kompakt' })
      .filter({ hasText: /Up by / })
      .waitFor()
    await page.getByRole('button', { name: 'Learn now' }).click()
    await page.getByText('1 search has learnt something.').waitFor()
    await page.getByLabel('A search of your visitors').fill('Gartenschere')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Not enough clicks yet: 0 of 20 visitors on 0 of 3 days.').waitFor()
    await visitor.close()
  })

  inRest('a reader is told who may see insights', async () => {
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.reader, PASSWORD, INSIGHTS)
    await visitor.page.getByText('Your role may not see insights.').waitFor()
    await visitor.assertSound('insights of a reader')
    await visitor.close()
  })
}
