import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { SHOP } from './sample/shop.ts'
import { PASSWORD, type Stage } from './stage.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PAGES: Readonly<Record<string, string>> = {
  'advice/saws.md': '# Which saw for which wood\n\nA coarse blade for wet wood.\n\nA fine blade for dry wood.\n',
  'advice/soil.md': '# Soil for raised beds\n\nThree layers are enough.\n',
  'old/prices.md': '# Prices of last year\n\nNobody needs them any more.\n',
}

/** Declares the stories of a writer's day from the first link to the evening, without a shell. */
export function editorDayStories(stage: Stage): void {
  test('a day of an editor: invited in the morning, the shop’s knowledge is in order in the evening', async () => {
    const key = await stage.service.key(ROLE_SCOPES.admin, SHOP)
    const ask = (method: string, path: string, body?: object) => stage.service.call(method, path, { key, body })
    const { body: invitation } = await ask('POST', '/api/knowledge/invitations', {
      email: 'edda@garten.example',
      role: 'editor',
    })
    const visitor = await stage.visit()
    const { page } = visitor
    const said = (text: string) => page.locator('.toast').getByText(text).waitFor()
    const waitUntilSaved = () =>
      page
        .locator('.save-state')
        .filter({ hasText: /^Saved$/ })
        .waitFor()

    // She arrives by a link that a colleague passed on, and sets a password.
    await visitor.goTo(invitation.link)
    await visitor.heading('You are invited')
    await page.getByLabel('Your name').fill('Edda Editor')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept and sign in' }).click()
    await page.locator('.account').filter({ hasText: 'Edda Editor' }).waitFor()

    // She searches the existing entries.
    await visitor.press('Control+k')
    await visitor.focusOn('Search')
    await page.keyboard.type('Garantie Akku')
    await page.getByRole('link', { name: 'Garantie auf Akkus', exact: true }).click()
    await visitor.heading('Garantie auf Akkus')

    // She brings her notes: a folder becomes categories and entries.
    const folder = join(mkdtempSync(join(tmpdir(), 'day-')), 'notes')
    for (const [path, text] of Object.entries(PAGES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await visitor.navigate('Import')
    await page.locator('input[webkitdirectory]').setInputFiles(folder)
    await page.getByRole('button', { name: 'Import 3 entries' }).click()
    await page.getByRole('heading', { level: 2, name: 'The import is done.' }).waitFor()
    rmSync(dirname(folder), { recursive: true })

    // She corrects an entry, and a colleague changes it at the same time.
    await page.getByRole('link', { name: 'Show entries' }).click()
    await page.getByRole('link', { name: 'Which saw for which wood', exact: true }).click()
    await visitor.heading('Which saw for which wood')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.locator('.editor-text').getByText('A coarse blade for wet wood.').click()
    await visitor.press('End')
    await page.keyboard.type(' Never the other way round.')
    const theirs = `${PAGES['advice/saws.md']?.trimEnd()} A hacksaw for metal.\n`
    await ask('PATCH', `${ENTRIES}/${id}`, { content: theirs })
    await visitor.press('Control+s')
    await page.getByText('Somebody else saved this entry meanwhile').waitFor()
    await page.getByRole('button', { name: 'Merge by hand' }).click()
    await page.locator('.beside ins', { hasText: 'A hacksaw for metal.' }).waitFor()
    await page.locator('.editor-text').getByText('A fine blade for dry wood.').click()
    await visitor.press('End')
    await page.keyboard.type(' A hacksaw for metal.')
    await visitor.press('Control+s')
    await waitUntilSaved()
    const { content } = (await ask('GET', `${ENTRIES}/${id}`)).body
    assert.equal(content, theirs.replace('wet wood.', 'wet wood. Never the other way round.'))

    // She puts entries where others look for them: into a category, and into a project for the season.
    await visitor.navigate('Categories')
    await page.getByRole('button', { name: 'New category' }).first().click()
    await page.getByLabel('Name').fill('Good advice')
    await page.getByRole('button', { name: 'Create category' }).click()
    await said('“Good advice” is created.')
    await visitor.navigate('Entries')
    for (const name of ['Which saw for which wood', 'Soil for raised beds'])
      await page.getByRole('row', { name }).locator('.check').click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Move to a category' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Category' }).fill('Good')
    await page.getByRole('option', { name: /Good advice/ }).waitFor()
    await visitor.press('ArrowDown', 'Enter')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await page.getByText('2 entries changed.').waitFor()
    await visitor.navigate('Projects')
    await page.getByRole('button', { name: 'New project' }).first().click()
    await page.getByLabel('Name').fill('Spring in the garden')
    await page.getByRole('button', { name: 'Create project' }).click()
    await said('“Spring in the garden” is created.')
    await page.getByRole('combobox', { name: 'Add an entry' }).fill('soil')
    await page.getByRole('option', { name: /Soil for raised beds/ }).click()
    await said('“Soil for raised beds” is added.')

    // She sees what people look for and do not find, and writes it.
    await visitor.navigate('Insights')
    await page.getByRole('link', { name: 'Write entry: “Werkzeug mieten”' }).click()
    await page.waitForURL((url) => url.pathname === '/console/entries/new')
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Werkzeug mieten')
    await page.locator('.editor-text').click()
    await page.keyboard.type('Werkzeug vermieten wir tageweise an der Kasse.')
    await page.getByRole('combobox', { name: 'Category' }).fill('Good')
    await page.getByRole('option', { name: /Good advice/ }).waitFor()
    await visitor.press('ArrowDown', 'Enter', 'Control+Enter')
    await visitor.heading('Werkzeug mieten')
    await visitor.press('Control+k')
    await visitor.focusOn('Search')
    await page.keyboard.type('Werkzeug mieten')
    await page.locator('.hit').getByRole('link', { name: 'Werkzeug mieten', exact: true }).waitFor()

    // She deletes what is out of date, takes the wrong one too, and gets it back.
    await visitor.navigate('Entries')
    for (const name of ['Prices of last year', 'Soil for raised beds'])
      await page.getByRole('row', { name }).locator('.check').click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 entries are in the bin.').waitFor()
    await visitor.navigate('Bin')
    await page.getByRole('row', { name: 'Soil for raised beds' }).locator('.check').click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 entry is back.').waitFor()
    await visitor.assertSound('the end of a day')

    // All that she has changed is in order.
    const { body: entries } = await ask('GET', `${ENTRIES}?source=import&include_category_path=true`)
    assert.deepEqual(
      entries
        .map(({ title, category_path: path }: { title: string; category_path: string[] }) => [title, ...path])
        .toSorted(),
      [
        ['Soil for raised beds', 'Good advice'],
        ['Which saw for which wood', 'Good advice'],
      ],
    )
    await visitor.signOut()
    await visitor.goTo('/console')
    await page.waitForURL((url) => url.pathname === '/console/sign-in')
    await visitor.close()
  })
}
