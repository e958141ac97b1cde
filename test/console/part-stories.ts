import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../support/patience.ts'
import type { Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

const PARTS = '/console/parts'

/** Declares the stories of the parts that all pages share, by keyboard alone and as screen readers have them. */
export function partStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate(
    'faults that the service finds stand beside their fields, in the person’s language, and the first takes the focus',
    async () => {
      for (const [locale, tooLong, missing] of [
        ['en-GB', 'Enter at most 120 characters.', 'Please fill in this field.'],
        ['de-DE', 'Geben Sie höchstens 120 Zeichen ein.', 'Bitte füllen Sie dieses Feld aus.'],
      ] as const) {
        const visitor = await stage.visit({ locale, colorScheme: 'light', width: 1280 })
        const { page } = visitor
        await visitor.goTo(PARTS)
        await page.locator('form button[type=submit]').click()
        const name = page.locator('[name=name]')
        await page.locator('.field').filter({ has: name }).getByText(tooLong).waitFor()
        await page
          .locator('.field')
          .filter({ has: page.locator('[name=text]') })
          .getByText(missing)
          .waitFor()
        assert.equal(await name.getAttribute('aria-invalid'), 'true')
        assert.equal(await page.evaluate('document.activeElement.name'), 'name')
        const described = await name.getAttribute('aria-describedby')
        assert.ok(described !== null && described.split(' ').length >= 2, 'the fault is tied to its field')
        await name.fill('Short')
        await visitor.press('Tab')
        await page.locator('.field').filter({ has: name }).getByText(tooLong).waitFor({ state: 'detached' })
        await visitor.close()
      }
    },
  )

  inGate('a dialog keeps the focus, Escape closes it, and the focus goes back to its button', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    const open = page.getByRole('button', { name: 'Open dialog' }).last()
    await open.focus()
    await visitor.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Write an article' })
    await dialog.waitFor()
    for (let i = 0; i < 5; i++) {
      await visitor.press('Tab')
      assert.ok(await visitor.isFocusIn('[role=dialog]'))
    }
    await visitor.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await visitor.focusOn('Open dialog')
    await visitor.close()
  })

  inGate('a question before harm begins on the button that changes nothing', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByRole('alertdialog', { name: 'Delete this article?' }).waitFor()
    await visitor.focusOn('Cancel')
    await visitor.close()
  })

  inGate('a menu is opened, walked and chosen from with the arrow keys', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    const button = page.getByRole('button', { name: 'Kind' }).last()
    await button.focus()
    const name = await visitor.focused()
    await visitor.press('ArrowDown')
    await page.locator('[role=menuitemradio]:focus').first().waitFor()
    await visitor.press('ArrowDown', 'Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await visitor.focusOn(name)
    await visitor.press('ArrowDown')
    const high = page.getByRole('menuitemradio', { name: 'High' })
    await high.waitFor()
    assert.equal(await high.getAttribute('aria-checked'), 'true')
    await visitor.close()
  })

  inGate('tags are typed, taken from suggestions and taken out by keyboard', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    const tags = page.getByRole('grid', { name: 'Tags' }).getByRole('row')
    await tags.first().waitFor()
    assert.deepEqual(await tags.allInnerTexts(), ['garten', 'holz'])
    await page.getByRole('combobox', { name: 'Tags' }).fill('winter')
    await visitor.press('Enter')
    await tags.filter({ hasText: 'winter' }).waitFor()
    assert.deepEqual(await tags.allInnerTexts(), ['garten', 'holz', 'winter'])
    await page.keyboard.type('gara')
    await page.getByRole('option', { name: 'garage' }).waitFor()
    await visitor.press('ArrowDown', 'Enter')
    // While the list is open, everything else is hidden from screen readers.
    await tags.filter({ hasText: 'garage' }).waitFor()
    await visitor.press('Backspace', 'Backspace')
    assert.deepEqual(await tags.allInnerTexts(), ['garten', 'holz'])
    await visitor.close()
  })

  inGate('a table of 100,000 rows draws those near the window, and says which they are', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    const table = page.getByRole('table', { name: 'Table' })
    await page.getByText('Rows 1–200 of about 100,000').waitFor()
    assert.equal(await table.getAttribute('aria-rowcount'), '100001')
    const drawn = await table.getByRole('row').count()
    assert.ok(drawn > 5 && drawn < 100, `${drawn} rows are drawn`)
    await table.getByRole('checkbox', { name: 'Select Row 1', exact: true }).focus()
    await visitor.press('Space')
    await table.getByRole('row', { selected: true }).first().waitFor()
    assert.equal(await table.getByRole('row', { selected: true }).count(), 1)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Rows 201–400 of about 100,000').waitFor()
    await table.getByRole('row', { name: /Row 201/ }).waitFor()
    assert.equal(await table.getByRole('row', { name: /Row 201/ }).getAttribute('aria-rowindex'), '202')
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await page.getByText('Rows 1–200 of about 100,000').waitFor()
    await table.getByRole('row', { name: /Row 100000/ }).waitFor()
    assert.equal(await table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'descending')
    await visitor.close()
  })

  inRest(
    'a long table supposes all rows as high as those it draws, so that nothing moves away from under the pointer',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.goTo(PARTS)
      await page.locator('.data-virtual > [role=row]').first().waitFor()
      const errorPx = (): Promise<number> =>
        page.evaluate<number>(`(() => {
        const body = document.querySelector('.data-virtual')
        return Math.abs(body.offsetHeight - 200 * body.firstElementChild.offsetHeight)
      })()`)
      // Four pixels too many in each row would be eight hundred.
      await until(async () => (await errorPx()) < 400, 'the rows are as high as supposed')
      await visitor.close()
    },
  )

  inRest(
    'a turned page begins with its first row, however late the browser reports that the window has moved',
    async () => {
      const visitor = await stage.visitAlone()
      const { page } = visitor
      await page.addInitScript(`
      window.isLate = false
      window.addEventListener('scroll', (event) => { if (window.isLate) event.stopImmediatePropagation() }, true)
    `)
      await visitor.goTo(PARTS)
      const table = page.getByRole('table', { name: 'Table' })
      await table.getByRole('row', { name: /Row 1 / }).waitFor()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await table.getByRole('row', { name: /Row 200/ }).waitFor()
      await afterFrames(page)
      await page.evaluate('window.isLate = true')
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText('Rows 201–400 of about 100,000').waitFor()
      await afterFrames(page)
      const top = await page.evaluate<number>("document.querySelector('.data-frame').getBoundingClientRect().top")
      assert.ok(top >= 0, `the table begins ${-top} px above the window`)
      await page.evaluate("window.isLate = false; window.dispatchEvent(new Event('scroll'))")
      await table.getByRole('row', { name: /Row 201/ }).waitFor()
      await visitor.close()
    },
  )

  inGate('a tree is opened and chosen from with the arrow keys', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    await page.getByRole('tab', { name: 'Tree' }).click()
    const first = page.getByRole('row', { name: 'First' })
    await first.focus()
    assert.equal(await first.getAttribute('aria-expanded'), 'false')
    await visitor.press('ArrowRight')
    assert.equal(await first.getAttribute('aria-expanded'), 'true')
    await visitor.press('ArrowDown', 'Enter')
    assert.equal(await page.getByRole('row', { name: 'Second' }).first().getAttribute('aria-selected'), 'true')
    await visitor.close()
  })

  inGate('a message appears in a corner, and its button takes it away', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.goTo(PARTS)
    await page.getByRole('button', { name: 'Say something' }).last().click()
    await page.getByRole('alertdialog').getByText('The article is saved.').waitFor()
    await page.getByRole('button', { name: 'Close message' }).focus()
    // The message stays while it has the focus.
    await visitor.assertSound('a message')
    await visitor.press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await visitor.close()
  })

  inGate('light or dark is chosen in the person’s menu, kept, and set before the first paint', async () => {
    const visitor = await stage.visitAlone()
    const { page } = visitor
    await visitor.signIn('reader@x', 'correct horse battery')
    await page.locator('.account').click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    assert.equal(await ground(), 'rgb(18, 23, 22)')
    // The console's own scripts are blocked, so only the early one can have set the scheme.
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.reload()
    assert.equal(await ground(), 'rgb(18, 23, 22)')
    await visitor.close()
  })
}

/** Waits until the browser has drawn, measured and drawn again. */
async function afterFrames(page: Page): Promise<void> {
  for (let frames = 0; frames < 3; frames++) await page.evaluate('new Promise(requestAnimationFrame)')
}
