import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import type { Visitor } from './visitor.ts'
import { until } from '../support/patience.ts'

const PATH = '/console/categories'
const API = '/api/knowledge/categories'

async function middleOf(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await element.boundingBox()
  assert.ok(box !== null)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Declares the stories of people with the tree of categories. */
export function categoryStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const category = async (name: string, parentId: string | null = null): Promise<string> => {
    const { body, status } = await stage.service.call('POST', API, { body: { name, parent_id: parentId } })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const entry = async (categoryId: string, fields: object = {}): Promise<void> => {
    const body = { title: 'An entry', content: 'Text', category_id: categoryId, ...fields }
    assert.equal((await stage.service.call('POST', '/api/knowledge/knowledge-entries', { body })).status, 201)
  }
  const parentOf = async (id: string): Promise<string | null> =>
    (await stage.service.call('GET', `${API}/${id}`)).body.parent_id
  const row = ({ page }: Visitor, name: string) => page.getByRole('row', { name, exact: true })
  const said = ({ page }: Visitor, text: string) => page.locator('.toast').getByText(text).waitFor()

  inGate('an editor creates a category, gives it one below, and renames it', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await category('Anchor of the tree')
    await visitor.signIn(PEOPLE.editor, PASSWORD)
    await visitor.navigate('Categories')
    await visitor.heading('Categories')
    await page.getByRole('button', { name: 'New category' }).first().click()
    await page.getByRole('button', { name: 'Create category' }).click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name').fill('Workshop')
    await page.getByRole('button', { name: 'Create category' }).click()
    await said(visitor, '“Workshop” is created.')
    await page.getByRole('heading', { level: 2, name: 'Workshop' }).waitFor()
    await page.getByRole('button', { name: 'New category below' }).click()
    await page.getByLabel('Name').fill('Tools')
    await page.getByRole('button', { name: 'Create category' }).click()
    await page.getByRole('heading', { level: 2, name: 'Tools' }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name').fill('Hand tools')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 2, name: 'Hand tools' }).waitFor()
    await page.getByText('Workshop', { exact: true }).first().waitFor()
    await visitor.close()
  })

  inGate('a category is moved by keyboard alone: grabbed, carried to another one and dropped there', async () => {
    const [from, to] = [await category('AA carried'), await category('AB carrier')]
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${from}&find=carrie`)
    await row(visitor, 'AA carried').focus()
    await visitor.press('ArrowRight')
    assert.equal(await visitor.focused(), 'Move AA carried')
    await visitor.press('Enter')
    for (let i = 0; i < 6 && !(await visitor.focused()).includes('on AB carrier'); i++) await visitor.press('ArrowDown')
    assert.match(await visitor.focused(), /on AB carrier/)
    await visitor.press('Enter')
    await said(visitor, '“AA carried” is now below AB carrier.')
    assert.equal(await parentOf(from), to)
    await visitor.close()
  })

  inRest('a category is dragged onto another one with the pointer', async () => {
    const [from, to] = [await category('BA dragged'), await category('BB dragger')]
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?find=dragge`)
    await row(visitor, 'BA dragged').waitFor()
    const { page } = visitor
    const [start, goal] = [await middleOf(row(visitor, 'BA dragged')), await middleOf(row(visitor, 'BB dragger'))]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x + 10, start.y + 3, { steps: 3 })
    await page.locator('.tree-item[data-dragging]').waitFor()
    await page.mouse.move(goal.x, goal.y, { steps: 5 })
    await page.locator('.tree-item[data-drop-target]').waitFor()
    await page.mouse.up()
    await said(visitor, '“BA dragged” is now below BB dragger.')
    assert.equal(await parentOf(from), to)
    await visitor.close()
  })

  inRest('a category is dropped between two others by keyboard, and stands there', async () => {
    const parent = await category('HA shelf')
    const [first, second, third] = [
      await category('HB shelf', parent),
      await category('HC shelf', parent),
      await category('HD shelf', parent),
    ]
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${third}&find=shelf`)
    await row(visitor, 'HD shelf').focus()
    await visitor.press('ArrowRight')
    assert.equal(await visitor.focused(), 'Move HD shelf')
    await visitor.press('Enter')
    const place = /before HC shelf|after HB shelf|between HB shelf and HC shelf/i
    for (let i = 0; i < 20 && !place.test(await visitor.focused()); i++) await visitor.press('ArrowDown')
    assert.match(await visitor.focused(), place)
    await visitor.press('Enter')
    await said(visitor, '“HD shelf” is at its new place.')
    const order = (await stage.service.call('GET', `${API}?parent_id=${parent}`)).body
    assert.deepEqual(
      order.map(({ id }: { id: string }) => id),
      [first, third, second],
    )
    await visitor.close()
  })

  inRest('a rename in an old tab undoes no move', async () => {
    const parent = await category('IA drawer')
    const [first, second] = [await category('IB drawer', parent), await category('IC drawer', parent)]
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${second}`)
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name').fill('ID drawer')
    await stage.service.call('POST', `${API}/${second}/move`, { body: { parent_id: parent, before_id: first } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 2, name: 'ID drawer' }).waitFor()
    const order = (await stage.service.call('GET', `${API}?parent_id=${parent}`)).body
    assert.deepEqual(
      order.map(({ name }: { name: string }) => name),
      ['ID drawer', 'IB drawer'],
    )
    await visitor.close()
  })

  inRest('the dialog moves a category to the top level, and offers no place below itself', async () => {
    const top = await category('CA top')
    const inner = await category('CB inner', top)
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${top}`)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('combobox', { name: 'Move below' }).fill('CB inner')
    assert.equal(await page.getByRole('option', { name: /CB inner/ }).count(), 0)
    await visitor.press('Escape', 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.goTo(`${PATH}?category=${inner}`)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('combobox', { name: 'Move below' }).fill('top lev')
    await visitor.press('ArrowDown', 'Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await said(visitor, '“CB inner” is now at the top level.')
    assert.equal(await parentOf(inner), null)
    await visitor.close()
  })

  inGate(
    'deleting a full category says what is in it and where it goes; an empty one is deleted after a question',
    async () => {
      const [full, other] = [await category('DA full'), await category('DB other')]
      await category('DC below', full)
      await entry(full)
      await entry(full)
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${full}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('It has 2 entries and 1 category directly in it.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
      await page.getByText('Choose a category.', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Merge into' }).fill('DB other')
      await visitor.press('ArrowDown', 'Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
      await said(visitor, '“DA full” is merged into “DB other”.')
      assert.equal((await stage.service.call('GET', `${API}/${full}`)).status, 404)
      await page.getByRole('heading', { level: 2, name: 'DB other' }).waitFor()
      const empty = await category('DD empty')
      await visitor.goTo(`${PATH}?category=${empty}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await visitor.focusOn('Cancel')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await said(visitor, '“DD empty” is deleted.')
      assert.equal((await stage.service.call('GET', `${API}/${empty}`)).status, 404)
      assert.notEqual(other, full)
      await visitor.close()
    },
  )

  inRest('a category that is kept by entries that the editor does not see is merged with them', async () => {
    const [veiled, other] = [await category('EA veiled'), await category('EB goal')]
    await entry(veiled, { visibility: 'restricted' })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${veiled}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This category still has entries that you may not see.').waitFor()
    await visitor.press('Escape')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('combobox', { name: 'Merge into' }).fill('EB goal')
    await visitor.press('ArrowDown', 'Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
    await said(visitor, '“EA veiled” is merged into “EB goal”.')
    assert.equal((await stage.service.call('GET', `${API}/${veiled}`)).status, 404)
    const remaining = await stage.service.call('GET', `/api/knowledge/knowledge-entries?category_id=${other}`)
    assert.equal(remaining.body.length, 1)
    await visitor.close()
  })

  inRest('of very many neighbours some are shown, and more on demand', async () => {
    const top = await category('GA crowd')
    for (let i = 100; i < 200; i++) await category(`Crowd ${i}`, top)
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, `${PATH}?category=${top}`)
    await page.getByText('Categories below').waitFor()
    await row(visitor, 'GA crowd').focus()
    await visitor.press('ArrowRight')
    await page.locator('.tree-item[aria-expanded=true]').waitFor()
    await page.locator('.tree').hover()
    // Rows come in steps, and a turn of the wheel before them leads nowhere.
    const wheelTo = async (target: Locator): Promise<void> => {
      await until(async () => {
        await page.mouse.wheel(0, 100_000)
        return target.isVisible()
      }, 'the row is there')
    }
    const more = page.getByRole('row', { name: /Show more \(50 left\)/ })
    await wheelTo(more)
    await more.click()
    await page.getByRole('row', { name: /Show more/ }).waitFor({ state: 'detached' })
    await wheelTo(row(visitor, 'Crowd 199'))
    await visitor.close()
  })

  inRest('a reader finds a category by a part of its name, and is offered no change', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    const above = await category('FA above')
    await category('FB needle in hay', above)
    await visitor.signIn(PEOPLE.reader, PASSWORD, PATH)
    await page.getByLabel('Find a category').fill('needle')
    await row(visitor, 'FB needle in hay').click()
    await page.getByRole('heading', { level: 2, name: 'FB needle in hay' }).waitFor()
    await page.getByText('You can read the tree.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Rename' }).count(), 0)
    assert.equal(await page.locator('.tree-drag').count(), 0)
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'FB needle in hay' }).waitFor()
    assert.equal(await page.getByLabel('Find a category').inputValue(), 'needle')
    await visitor.assertSound('a found category')
    await visitor.close()
  })
}
