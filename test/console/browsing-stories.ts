import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

/** Declares the stories of the list of entries, of actions on many of them, and of the bin. */
export function browsingStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  describe('browsing entries', () => {
    let shelf: string
    let archive: string

    before(async () => {
      shelf = await stage.service.category('Shelf')
      archive = await stage.service.category('Archive')
    })

    const make = async (title: string, fields: object = {}): Promise<string> => {
      const body = { title, content: 'Text.', category_id: shelf, language: 'en', tags: ['shelved'], ...fields }
      const { body: answer, status } = await stage.service.call('POST', ENTRIES, { body })
      assert.equal(status, 201, JSON.stringify(answer))
      return answer.id
    }
    const stored = async (id: string) => (await stage.service.call('GET', `${ENTRIES}/${id}`)).body

    inRest(
      'filters live in the address: a choice is a step back, a link shows the same, a broken one still lists',
      async () => {
        await make('Blue lamp')
        await make('Rote Lampe', { language: 'de' })
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(PEOPLE.reader, PASSWORD, '/console/entries?tag=shelved&type=nonsense')
        await page.getByRole('link', { name: 'Blue lamp' }).waitFor()
        assert.equal(await page.getByRole('checkbox').count(), 0, 'a reader selects nothing')
        await page.getByRole('button', { name: /Language$/ }).click()
        await page.getByRole('option', { name: 'German' }).click()
        await page.getByRole('link', { name: 'Blue lamp' }).waitFor({ state: 'detached' })
        assert.ok(await page.getByRole('link', { name: 'Rote Lampe' }).isVisible())
        assert.match(page.url(), /language=de/)
        await page.goBack()
        await page.getByRole('link', { name: 'Blue lamp' }).waitFor()
        await page.getByLabel('Tag', { exact: true }).fill('nobody has this')
        await visitor.press('Enter')
        await page.getByText('No entry matches these filters').waitFor()
        await visitor.close()
      },
    )

    inGate(
      'many entries are moved and tagged at once; a person who was faster is not overwritten, and is named',
      async () => {
        const ids = [await make('Move one'), await make('Move two'), await make('Move three')]
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/entries?tag=shelved')
        for (const name of ['one', 'two', 'three'])
          await page
            .getByRole('row', { name: `Move ${name}` })
            .locator('.check')
            .click()
        await page.getByText('3 selected').waitFor()
        await stage.service.call('PATCH', `${ENTRIES}/${ids[1]}`, { body: { summary: 'Faster' } })
        await page.getByRole('button', { name: 'Change', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Move to a category' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Change' }).click()
        await dialog.getByText('Choose something first.').waitFor()
        await dialog.getByRole('combobox', { name: 'Category' }).fill('Archi')
        await visitor.press('ArrowDown', 'Enter')
        await dialog.getByRole('button', { name: 'Change' }).click()
        await page.getByText('2 entries changed.').waitFor()
        await page.getByText('Somebody changed it meanwhile').waitFor()
        const categories = await Promise.all(ids.map(async (id) => (await stored(id)).category_id))
        assert.deepEqual(categories, [archive, shelf, archive])
        await page.getByRole('row', { name: 'Move two' }).locator('.check').click()
        await page.getByRole('button', { name: 'Change', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Add tags' }).click()
        await dialog.getByLabel('Tags').fill('moved')
        await visitor.press('Enter')
        await dialog.getByRole('button', { name: 'Change' }).click()
        await page.getByText('1 entry changed.').waitFor()
        assert.deepEqual((await stored(ids[1])).tags, ['shelved', 'moved'])
        await visitor.close()
      },
    )

    inGate(
      'deleted entries come back by one step, or from the bin; for good they go only after a question',
      async () => {
        const ids = [await make('Delete one'), await make('Delete two')]
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/entries?tag=shelved')
        const remove = async (): Promise<void> => {
          for (const name of ['one', 'two'])
            await page
              .getByRole('row', { name: `Delete ${name}` })
              .locator('.check')
              .click()
          await page.getByRole('button', { name: 'Change', exact: true }).click()
          await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
          await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
          await page.getByText('2 entries are in the bin.').waitFor()
        }
        await remove()
        assert.equal((await stage.service.call('GET', `${ENTRIES}/${ids[0]}`)).status, 404)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('2 entries are back.').waitFor()
        assert.equal((await stored(ids[0])).title, 'Delete one')
        await remove()
        await visitor.navigate('Bin')
        await visitor.heading('Bin')
        await page.getByRole('row', { name: 'Delete one' }).locator('.check').click()
        await page.getByRole('button', { name: 'Restore' }).click()
        await page.getByText('1 entry is back.').waitFor()
        await page.getByRole('row', { name: 'Delete two' }).locator('.check').click()
        // A button that waits for an answer is pale, and these wait until the list is read again.
        await page.locator('.button-waiting').first().waitFor({ state: 'detached' })
        await visitor.assertSound('the bin')
        await page.getByRole('button', { name: 'Delete for good' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click()
        await page.getByText('1 entry is gone for good.').waitFor()
        assert.equal((await stored(ids[0])).title, 'Delete one')
        const restored = await stage.service.call('POST', `/api/knowledge/bin/${ids[1]}/restore`)
        assert.equal(restored.status, 404)
        await visitor.close()
      },
    )
  })
}
