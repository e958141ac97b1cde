import assert from 'node:assert/strict'
import { ADMIN, KEYS, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

/** Declares the story of a key from its dialog to its refusal. */
export function keyStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate('a key is issued, shown once, copied, used, and refused once it is revoked', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.base })
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog')
    const question = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Please give the key a name.').waitFor()
    await dialog.getByLabel('Name').fill('Website import')
    await dialog.getByRole('radio', { name: 'Editor' }).check()
    await dialog.getByLabel('Delete entries').uncheck()
    assert.ok(await dialog.getByRole('radio', { name: 'Custom' }).isChecked())
    await dialog.getByLabel('Expires').selectOption('days30')
    await dialog.getByRole('button', { name: 'Issue key' }).click()

    const keyField = dialog.getByLabel('API key', { exact: true })
    const key = await keyField.inputValue()
    assert.match(key, /^ks_[0-9A-Za-z]{40}$/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.ok(await keyField.isVisible(), 'a stray Escape loses the key')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    assert.ok(!(await page.content()).includes(key))

    assert.equal(await stage.statusWith(key), 200)
    const row = page.getByRole('row', { name: /Website import/ })
    await row.getByText('Active').waitFor()
    await row.getByRole('group').locator('summary').click()
    assert.ok(await row.getByText('Create and change entries').isVisible())
    assert.ok(!(await row.getByText('Delete entries').isVisible()))
    await row.getByRole('button', { name: 'Revoke Website import' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await visitor.focusOn('Revoke Website import')
    assert.equal(await stage.statusWith(key), 200)
    await row.getByRole('button', { name: 'Revoke Website import' }).click()
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('status').filter({ hasText: '“Website import” is revoked.' }).waitFor()
    await row.getByText('Revoked').waitFor()
    assert.equal(await stage.statusWith(key), 401)
    await visitor.assertSound('the list after a revocation')
    await visitor.close()
  })

  inRest('a key that may do everything asks again who issues it', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Issue an API key' })
    await dialog.getByLabel('Name').fill('Backup script')
    await dialog.getByRole('radio', { name: 'Administrator' }).check()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it is you' })
    await proof.getByLabel('Password').fill('not the password')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.getByText('The password is wrong.').waitFor()
    await visitor.assertSound('the question who issues a key')
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    const key = await page.getByLabel('API key', { exact: true }).inputValue()
    assert.equal(await stage.statusWith(key), 200)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await visitor.close()
  })

  inRest('the list shows on which pages a publishable key may be used', async () => {
    const body = { name: 'Shop search', origins: ['https://shop.example'], sections: ['products'] }
    const { status } = await stage.service.call('POST', '/api/knowledge/api-keys/publishable', { body })
    assert.equal(status, 201)
    const visitor = await stage.visit()
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    const row = visitor.page.getByRole('row', { name: /Shop search/ })
    await row.getByText('on pages of https://shop.example').waitFor()
    await visitor.assertSound('a list with a publishable key')
    await visitor.close()
  })

  inRest('a key for web pages is made in the dialog, and searches from these pages alone', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Web pages/ }).check()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Please give the key a name.').waitFor()
    await dialog.getByText('Enter at least one address').waitFor()
    await visitor.assertSound('a key for pages that lacks everything')
    await dialog.getByLabel('Name').fill('Search on the website')
    await dialog.getByRole('combobox', { name: 'Addresses of the pages' }).fill('www.tools.example/start')
    await visitor.press('Enter')
    await dialog.getByRole('row', { name: 'https://www.tools.example' }).waitFor()
    await dialog.locator('label').filter({ hasText: 'Knowledge' }).click()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    const key = await dialog.getByLabel('API key', { exact: true }).inputValue()
    assert.match(key, /^pk_/)
    for (const [origin, status] of [
      ['https://www.tools.example', 200],
      ['https://elsewhere.example', 403],
    ] as const) {
      const call = { key, body: { query: 'Rücksendung' }, headers: { origin } }
      assert.equal((await stage.service.call('POST', '/api/knowledge/knowledge-entries/search', call)).status, status)
    }
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    await page
      .getByRole('row', { name: /Search on the website/ })
      .getByText('on pages of https://www.tools.example')
      .waitFor()
    await visitor.close()
  })

  inRest('a key is revoked with the keys issued with it, whose number the dialog shows', async () => {
    const root = await stage.issue('Root', null)
    const child = await stage.issue('Child', root)
    await stage.issue('Grandchild', child)
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    const row = page.getByRole('row', { name: /^Child/ })
    await row.getByText('by the key “Root”').waitFor()
    await page.getByRole('button', { name: 'Revoke Root' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Also revoke the 2 keys issued with it').check()
    await visitor.assertSound('the question before a revocation')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: '“Root” and the keys issued with it: 3 keys are revoked.' })
      .waitFor()
    for (const key of [root, child]) assert.equal(await stage.statusWith(key), 401)
    await visitor.close()
  })

  inRest('the dialog that issues a key fits a low window: its content scrolls, its buttons stay', async () => {
    for (const [locale, width, label, notes] of [
      ['en-GB', 1280, 'Issue key', 'See and edit personal notes'],
      ['de-DE', 390, 'Schlüssel ausstellen', 'Persönliche Notizen sehen und bearbeiten'],
    ] as const) {
      const visitor = await stage.visit({ locale, colorScheme: 'light', width })
      const { page } = visitor
      await page.setViewportSize({ width, height: 700 })
      await visitor.signIn(ADMIN, PASSWORD, KEYS)
      await page.getByRole('button', { name: label }).click()
      const dialog = page.getByRole('dialog')
      const foot = dialog.locator('.dialog-actions')
      await foot.waitFor()
      for (const field of [dialog.locator('[name=name]'), dialog.locator('select').last()]) {
        await field.focus()
        const [buttons, focused] = [await foot.boundingBox(), await field.boundingBox()]
        assert.ok(buttons!.y + buttons!.height <= 700, `the buttons are below the window, ${width} px`)
        assert.ok(focused!.y >= 0, `the field is above the window, ${width} px`)
        assert.ok(focused!.y + focused!.height <= buttons!.y, `the buttons cover the field, ${width} px`)
      }
      assert.ok(await dialog.getByLabel(notes).isChecked())
      await visitor.assertSound(`issuing in a low window, ${width} px`)
      await visitor.close()
    }
  })

  inRest('the table of keys fits beside the menu, even in the language with the longest words', async () => {
    await stage.issue('An administrator’s key with a long name', await stage.issue('Issuing key', null))
    for (const width of [1152, 1216, 1280]) {
      const visitor = await stage.visit({ locale: 'de-DE', colorScheme: 'light', width })
      await visitor.signIn(ADMIN, PASSWORD, KEYS)
      await visitor.page.getByText('mit dem Schlüssel').first().waitFor()
      await visitor.assertSound(`the list of keys, ${width} px`)
      await visitor.close()
    }
  })
}
