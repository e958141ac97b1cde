import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'

/** Declares the stories of an administrator who finds out how good search is. */
export function laboratoryStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const write = async (title: string, content: string, fields: object = {}): Promise<string> => {
    const { service } = stage
    const categories = (await service.call('GET', '/api/knowledge/categories')).body
    const category_id = categories[0]?.id ?? (await service.category('Lamps'))
    const body = { title, content, category_id, language: 'en', ...fields }
    return (await service.call('POST', '/api/knowledge/knowledge-entries', { body })).body.id
  }
  const choose = async ({ page }: Visitor, label: string, option: string): Promise<void> => {
    await page.locator('.field').filter({ hasText: label }).getByRole('button').first().click()
    await page.getByRole('option', { name: option }).click()
  }

  inGate('an administrator compares the modes, looks as a reader, and learns why an entry is missing', async () => {
    await write('Kiln temperatures', 'A kiln for porcelain reaches 1300 degrees.', { visibility: 'public' })
    await write('Secret glazes', 'The glaze of porcelain in the kiln is ours alone.', { visibility: 'restricted' })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.admin, PASSWORD)
    await visitor.navigate('Search laboratory')
    await visitor.heading('Search laboratory')
    await page.getByLabel('Search for').fill('porcelain kiln')
    await visitor.press('Enter')
    await page.locator('.lab-hit').first().waitFor()
    assert.equal(await visitor.focused(), 'Search for')
    for (const mode of ['Meaning and words', 'Meaning alone', 'Words alone']) {
      await page.getByRole('region', { name: mode }).getByRole('link', { name: 'Secret glazes' }).waitFor()
    }
    await choose(visitor, 'Look as', 'Reader')
    await page.getByRole('link', { name: 'Secret glazes' }).first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Is something missing?' }).click()
    assert.equal(await visitor.focused(), 'Missing entry or product')
    await page.keyboard.type('Secret glazes')
    await visitor.press('Enter')
    await page.getByRole('button', { name: 'Secret glazes' }).click()
    await page.getByText('The person you look as may not see it.').waitFor()
    // Each choice is a step of the browser's history.
    await page.goBack()
    await page.getByText('The person you look as may not see it.').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('link', { name: 'Secret glazes' }).first().waitFor()
    await visitor.close()
  })

  inRest(
    'by keyboard alone a set is made, results are judged, and the set is measured twice and compared',
    async () => {
      await write('Sharpening chisels', 'Sharpen a chisel on the water stone.')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.admin, PASSWORD, '/console/judged-sets')
      const tabTo = async (name: string): Promise<void> => {
        for (let tries = 0; (await visitor.focused()) !== name && tries < 150; tries++) await visitor.press('Tab')
        assert.equal(await visitor.focused(), name)
      }
      await visitor.heading('Judged sets')
      await tabTo('New set')
      await visitor.press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo('Name')
      await page.keyboard.type('Workshop')
      await visitor.press('Enter')
      await visitor.heading('Workshop')
      await tabTo('Judge in the laboratory')
      await visitor.press('Enter')
      await visitor.heading('Search laboratory')
      await tabTo('Search for')
      await page.keyboard.type('sharpen a chisel')
      await visitor.press('Enter')
      const card = page.locator('.lab-hit').filter({ hasText: 'Sharpening chisels' }).first()
      const right = card.getByRole('button', { name: 'Right' })
      await right.waitFor()
      await tabTo('Right')
      await visitor.press('Space')
      await page.locator('.lab-hit [aria-pressed=true]').first().waitFor()
      await visitor.assertSound('judging')
      await page.getByRole('main').evaluate('document.activeElement.blur()')
      await tabTo('Judged sets')
      await visitor.press('Enter')
      await visitor.heading('Judged sets')
      await tabTo('Workshop')
      await visitor.press('Enter')
      await page.getByRole('link', { name: 'sharpen a chisel' }).waitFor()
      const measure = async (points: number): Promise<void> => {
        await tabTo('Measure now')
        await visitor.press('Enter')
        await page
          .locator('.chart-point')
          .nth(points - 1)
          .waitFor()
      }
      await measure(1)
      await page.getByText('Quality is 100%.').waitFor()
      await measure(2)
      await page.getByText('Quality is 100%, as before.').waitFor()
      await page.getByRole('heading', { name: 'Compare two measurements' }).waitFor()
      await page.getByText('No search changed.').waitFor()
      await visitor.assertSound('a measured set')
      await visitor.close()
    },
  )

  inRest('a judgment in an old tab takes back none that another person gave meanwhile', async () => {
    const [one, other] = [
      await write('Oiling a lathe', 'Oil the lathe.'),
      await write('Lathe oils', 'Oil for a lathe.'),
    ]
    const sets = '/api/knowledge/judged-sets'
    const { body: set } = await stage.service.call('POST', sets, { body: { name: 'Lathes', section: 'knowledge' } })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.admin, PASSWORD, `/console/laboratory?set=${set.id}&q=lathe`)
    const card = page.locator('.lab-hit').filter({ hasText: 'Oiling a lathe' }).first()
    await card.getByRole('button', { name: 'Right' }).waitFor()
    const queries = [{ query: 'lathe', judgments: [{ id: other, grade: 1 }] }]
    await stage.service.call('PUT', `${sets}/${set.id}/queries`, { body: { queries } })
    await card.getByRole('button', { name: 'Right' }).click()
    await card.locator('[aria-pressed=true]').waitFor()
    const { body: stored } = await stage.service.call('GET', `${sets}/${set.id}/queries`)
    const grades = stored[0].judgments.map(({ id, grade }: { id: string; grade: number }) => [id, grade])
    assert.deepEqual(Object.fromEntries(grades), { [other]: 1, [one]: 2 })
    await visitor.close()
  })

  inGate(
    'a set is exported, a faulty line is named and nothing of its file is stored, and the export is imported again',
    async () => {
      const id = await write('Oiling locks', 'Oil a lock once a year.')
      const base = '/api/knowledge/judged-sets'
      const { service } = stage
      const set = (await service.call('POST', base, { body: { name: 'Locks', section: 'knowledge' } })).body.id
      const good = { query: 'oil a lock', judgments: [{ id, grade: 2 }] }
      await service.call('PUT', `${base}/${set}/queries`, { body: { queries: [good] } })
      const visitor = await stage.visit(LOOKS[1])
      const { page } = visitor
      await visitor.signIn(PEOPLE.admin, PASSWORD, `/console/judged-sets/${set}`)
      await page.getByRole('link', { name: 'oil a lock' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Exportieren' }).click(),
      ])
      const exported = readFileSync(await download.path(), 'utf8')
      assert.deepEqual(JSON.parse(exported), good)
      const give = (text: string) =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) })
      const unknown = { query: 'nobody', judgments: [{ id: '00000000-0000-7000-8000-000000000000', grade: 2 }] }
      await give(`${exported}\n${JSON.stringify(unknown)}\n`)
      await page.getByText('Zeile 3: hat eine ID, die es nicht gibt').waitFor()
      await visitor.assertSound('a refused import')
      assert.equal((await service.call('GET', `${base}/${set}`)).body.queries, 1)
      await give(`${exported}{"query": "another", "judgments": []}\n`)
      await page.getByText('Importiert: 1 neu, 1 ersetzt').waitFor()
      await page.getByRole('link', { name: 'another' }).waitFor()
      await visitor.close()
    },
  )

  inRest('an editor does not see the laboratory in the menu, and is told who may use it', async () => {
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/laboratory')
    await visitor.page.getByText('Only administrators can use the search laboratory.').waitFor()
    assert.equal(await visitor.page.getByRole('link', { name: 'Search laboratory' }).count(), 0)
    await visitor.close()
  })
}
