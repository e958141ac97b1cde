import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

/** Declares the stories of writing: the editor in both views, drafts, conflicts, versions. */
export function writingStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  describe('writing', () => {
    let category: string

    before(async () => {
      category = await stage.service.category('Handbook')
    })

    const make = async (fields: object) => {
      const body = {
        title: 'Opening hours',
        content: 'We open at nine.\n',
        category_id: category,
        language: 'en',
        ...fields,
      }
      const { body: answer, status } = await stage.service.call('POST', ENTRIES, { body })
      assert.equal(status, 201, JSON.stringify(answer))
      return answer
    }
    const stored = async (id: string) => (await stage.service.call('GET', `${ENTRIES}/${id}`)).body
    const edit = (id: string) => `/console/entries/${id}/edit`
    const text = (page: Page) => page.locator('.editor-text')
    const waitForState = (page: Page, words: string) =>
      page
        .locator('.save-state')
        .filter({ hasText: new RegExp(`^${words}$`) })
        .waitFor()
    const draftCount = (page: Page): Promise<number> =>
      page.evaluate(`new Promise((resolve) => {
        indexedDB.open('knowledge-drafts').onsuccess = ({ target }) => {
          const all = target.result.transaction('drafts').objectStore('drafts').count()
          all.onsuccess = () => (target.result.close(), resolve(all.result))
        }
      })`)
    const markdown = (page: Page) => page.getByRole('radio', { name: 'Markdown' }).click()
    const paste = (page: Page, data: Readonly<Record<string, string>>) =>
      page.evaluate(`(() => {
        const transfer = new DataTransfer()
        for (const [type, value] of Object.entries(${JSON.stringify(data)})) transfer.setData(type, value)
        const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
        document.querySelector('.editor-text').dispatchEvent(event)
      })()`)

    inGate('an editor writes an entry with the keyboard alone, and readers find it as it was formatted', async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/entries/new')
      await page.getByLabel('Title', { exact: true }).focus()
      await page.keyboard.type('Returning goods')
      await text(page).focus()
      await page.keyboard.type('## Steps')
      await visitor.press('Enter')
      await page.keyboard.type('1. Pack it')
      await visitor.press('Enter')
      await page.keyboard.type('Send ')
      await visitor.press('Control+b')
      await page.keyboard.type('it')
      await visitor.press('Escape')
      assert.ok(await visitor.isFocusIn('.format-bar'), 'Escape leads to the tools')
      await visitor.press('ArrowRight', 'Escape')
      assert.ok(await visitor.isFocusIn('.editor-text'), 'and back')
      await page.getByRole('combobox', { name: 'Category' }).focus()
      await page.keyboard.type('Handb')
      await page.getByRole('option').first().waitFor()
      await visitor.press('ArrowDown', 'Enter')
      await page.getByText('people can read this').waitFor()
      await waitForState(page, 'Not saved – still on this device')
      await visitor.press('Control+s')
      await waitForState(page, 'Saved')
      await page.waitForURL((url) => url.pathname.endsWith('/edit'))
      await visitor.heading('Edit entry')
      assert.ok(await visitor.isFocusIn('.editor-side'), 'nobody loses their place when a new entry gets its address')
      const id = new URL(page.url()).pathname.split('/').at(-2) ?? ''
      assert.equal((await stored(id)).content, '## Steps\n\n1. Pack it\n2. Send **it**\n')
      await visitor.press('Control+Enter')
      await visitor.heading('Returning goods')
      await page.locator('.reading li', { hasText: 'Send it' }).waitFor()
      await visitor.close()
    })

    inRest('a change in the visual view leaves every other line as it was written', async () => {
      const content = '* one\n* two\n\nwrapped\nline\n\n<details>x</details>\n\nlast\n'
      const { id } = await make({ content })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).getByText('last').click()
      await visitor.press('End')
      await page.keyboard.type(' words')
      await visitor.press('Control+s')
      await waitForState(page, 'Saved')
      assert.equal((await stored(id)).content, content.replace('last', 'last words'))
      await markdown(page)
      assert.equal(
        await page.getByLabel('Text', { exact: true }).last().inputValue(),
        content.replace('last', 'last words'),
      )
      await visitor.close()
    })

    inGate(
      'Word, web pages and Markdown are pasted as what they mean; pictures as files are refused in words',
      async () => {
        const { id } = await make({ content: 'start\n' })
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
        const pasted = async (data: Readonly<Record<string, string>>): Promise<string> => {
          await text(page).focus()
          await visitor.press('Control+a', 'Delete')
          await paste(page, data)
          await visitor.press('Control+s')
          await waitForState(page, 'Saved')
          return (await stored(id)).content
        }
        const word = [
          '<html><head><style>p {color: red}</style></head><body>',
          '<p class=MsoNormal style="mso-x:1">Text <b style="color:red">bold</b><o:p></o:p></p>',
          "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>  </span></span>first</p>",
          "<p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o </span>inner</p>",
          "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>second</p>",
          '<img src="file:///C:/clip_image001.png"></body></html>',
        ].join('\n')
        assert.equal(
          await pasted({ 'text/html': word, 'text/plain': 'Text bold' }),
          'Text **bold**\n\n- first\n  - inner\n- second\n',
        )
        await page.getByText('One picture was left out').waitFor()
        const web =
          '<h2>Title</h2><p><a href="https://x.example/a">link</a> <img src="https://x.example/p.png" alt="Plan"></p>'
        assert.equal(
          await pasted({ 'text/html': web, 'text/plain': 'Title' }),
          '## Title\n\n[link](https://x.example/a) ![Plan](https://x.example/p.png)\n',
        )
        const plain = '# Title\n\n- [x] done\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'
        assert.equal(await pasted({ 'text/plain': plain }), plain)
        await text(page).focus()
        await visitor.press('Control+a', 'Delete')
        await page.keyboard.type('```')
        await visitor.press('Enter')
        await paste(page, { 'text/html': '<h1>x</h1>', 'text/plain': '# not a **title**' })
        await visitor.press('Control+s')
        await waitForState(page, 'Saved')
        assert.equal((await stored(id)).content, '```\n# not a **title**\n```\n')
        await visitor.close()
      },
    )

    inGate('what is typed and not saved is offered at the next visit, to its writer alone', async () => {
      const { id } = await make({ title: 'Draft of one' })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).focus()
      await visitor.press('Control+End')
      await page.keyboard.type(' And close at six.')
      await waitForState(page, 'Not saved – still on this device')
      await page.reload()
      await page.getByText('that is not saved').waitFor()
      await text(page).getByText('We open at nine.', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Continue with it' }).click()
      await text(page).getByText('And close at six.').waitFor()
      await page.locator('.account').click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByText('One text on this device is not saved').waitFor()
      await visitor.assertSound('the question before the drafts are erased')
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.ok(await text(page).getByText('And close at six.').isVisible())
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await waitForState(page, 'Saved')
      assert.match((await stored(id)).content, /six/)
      await page.reload()
      await text(page).getByText('And close at six.').waitFor()
      assert.ok(!(await page.getByText('that is not saved').isVisible()))

      await text(page).focus()
      await page.keyboard.type('Unwanted ')
      await waitForState(page, 'Not saved – still on this device')
      await page.locator('.account').click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await question.getByRole('button', { name: 'Erase and sign out' }).click()
      await page.waitForURL((url) => url.pathname === '/console/sign-in')
      await visitor.fillSignIn(PEOPLE.editor, PASSWORD)
      await page.waitForURL((url) => url.pathname === '/console')
      await visitor.goTo(edit(id))
      await text(page).waitFor()
      assert.ok(!(await page.getByText('that is not saved').isVisible()), 'erased at the sign-out')
      await visitor.close()
    })

    inRest('a person who lets an application in by another account is asked about what is not saved, too', async () => {
      const { id } = await make({ title: 'Left behind' })
      const application = await stage.connect('Switching assistant')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).focus()
      await page.keyboard.type('Left ')
      await waitForState(page, 'Not saved – still on this device')
      await visitor.goTo(application.authorizeUrl('knowledge:read'))
      await page.getByRole('button', { name: 'Use another account' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByText('One text on this device is not saved').waitFor()
      await visitor.assertSound('the question before another account')
      await question.getByRole('button', { name: 'Erase and sign out' }).click()
      await visitor.fillSignIn(PEOPLE.editor, PASSWORD)
      await visitor.heading('Allow “Switching assistant”?')
      await visitor.goTo(edit(id))
      await text(page).waitFor()
      assert.ok(!(await page.getByText('that is not saved').isVisible()), 'erased with the other account')
      await visitor.close()
    })

    inRest('a person who signs out everywhere is asked about what is not saved, too', async () => {
      const { id } = await make({ title: 'Left everywhere' })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).focus()
      await page.keyboard.type('Left ')
      await waitForState(page, 'Not saved – still on this device')
      await visitor.goTo('/console/profile?part=sessions')
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByText('One text on this device is not saved').waitFor()
      await visitor.assertSound('the question before signing out everywhere')
      await question.getByRole('button', { name: 'Sign out everywhere' }).click()
      await visitor.fillSignIn(PEOPLE.editor, PASSWORD)
      await page.waitForURL((url) => url.pathname === '/console')
      await visitor.goTo(edit(id))
      await text(page).waitFor()
      assert.ok(!(await page.getByText('that is not saved').isVisible()), 'erased with all sessions')
      await visitor.close()
    })

    inGate('two editors on one entry: the second sees both, merges by hand, and nothing is lost', async () => {
      const { id } = await make({ title: 'Together', content: 'first\n\nsecond\n' })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).getByText('first').click()
      await visitor.press('End')
      await page.keyboard.type(' mine')
      const other = { content: 'first\n\nsecond theirs\n', tags: ['new'] }
      await stage.service.call('PATCH', `${ENTRIES}/${id}`, { body: other })
      await visitor.press('Control+s')
      await page.getByText('Somebody else saved this entry meanwhile').waitFor()
      await page.locator('.text-diff ins', { hasText: 'mine' }).first().waitFor()
      await waitForState(page, 'Not saved – still on this device')
      await page.getByRole('button', { name: 'Merge by hand' }).click()
      await page.locator('.beside ins', { hasText: 'theirs' }).waitFor()
      await text(page).getByText('second', { exact: true }).click()
      await visitor.press('End')
      await page.keyboard.type(' theirs')
      await visitor.press('Control+s')
      await waitForState(page, 'Saved')
      const { content, tags, version } = await stored(id)
      assert.deepEqual([content, tags, version], ['first mine\n\nsecond theirs\n', ['new'], 3])
      assert.equal(await draftCount(page), 0, 'what was merged is not offered again')
      await visitor.close()
    })

    inRest('a list of skills takes its entries by their titles, and shows them so again', async () => {
      const { id: skillId } = await make({ title: 'Fold a letter', type: 'skill', metadata: { steps: ['Fold it'] } })
      const { id } = await make({
        title: 'What we can do',
        type: 'skill_index',
        metadata: { skills: [{ name: 'Folding', entry_id: (await make({ title: 'Cut paper' })).id }] },
      })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      const field = page.getByRole('combobox', { name: 'Entry with the skill' })
      await page.locator('input[value="Cut paper"]').waitFor()
      await field.fill('fold a let')
      await page.getByRole('option', { name: 'Fold a letter' }).click()
      await visitor.press('Control+s')
      await waitForState(page, 'Saved')
      assert.equal((await stored(id)).metadata.skills[0].entry_id, skillId)
      assert.equal(await field.inputValue(), 'Fold a letter')
      await visitor.press('Escape')
      await visitor.assertSound('a list of skills')
      await visitor.close()
    })

    for (const [choice, expected] of [
      ['Take theirs', { mine: false, copies: 0 }],
      ['Overwrite theirs', { mine: true, copies: 0 }],
      ['Keep mine as a copy', { mine: false, copies: 1 }],
    ] as const) {
      inRest(`a conflict ends as the writer chooses: ${choice}`, async () => {
        const title = `Conflict, ${choice}`
        const { id } = await make({ title, content: 'base\n' })
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
        await text(page).focus()
        await page.keyboard.type('mine ')
        await stage.service.call('PATCH', `${ENTRIES}/${id}`, { body: { content: 'theirs\n' } })
        await visitor.press('Control+s')
        await page.getByRole('button', { name: choice }).click()
        await waitForState(page, 'Saved')
        assert.equal((await stored(id)).content, expected.mine ? 'mine base\n' : 'theirs\n')
        const { body: all } = await stage.service.call('GET', `${ENTRIES}?category_id=${category}`)
        const copies = all.filter((entry: { title: string }) => entry.title === `${title} (copy)`)
        assert.deepEqual(
          copies.map((entry: { content: string }) => entry.content),
          Array.from({ length: expected.copies }, () => 'mine base\n'),
        )
        await visitor.close()
      })
    }

    inRest('a session that ends in the middle of an edit is renewed without losing a word', async () => {
      const { id } = await make({ title: 'Session' })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, edit(id))
      await text(page).focus()
      await page.keyboard.type('Typed before the end. ')
      await page.context().clearCookies()
      await visitor.press('Control+s')
      const dialog = page.getByRole('dialog')
      await dialog.locator('[name=email]').waitFor()
      await visitor.fillSignIn(PEOPLE.editor, PASSWORD)
      await waitForState(page, 'Saved')
      assert.match((await stored(id)).content, /^Typed before the end\./)
      await visitor.close()
    })

    inRest('faults are said beside their fields, in words, and the first of them has the focus', async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/entries/new')
      await text(page).waitFor()
      await visitor.press('Control+s')
      await page.getByText('Enter a title.').waitFor()
      await page.getByText('Choose a category.').waitFor()
      await page.getByText('Write something before you save.').waitFor()
      await visitor.focusOn('Title')
      await page.getByLabel('Title', { exact: true }).fill('Packing')
      await text(page).focus()
      await page.keyboard.type('How to pack')
      await page.getByRole('combobox', { name: 'Category' }).fill('Handb')
      await visitor.press('ArrowDown', 'Enter')
      await page.getByRole('button', { name: /Type$/ }).click()
      await page.getByRole('option', { name: 'Skill', exact: true }).click()
      await visitor.press('Control+s')
      await page.getByText('This field is needed').or(page.locator('.metadata-rows .field-fault')).first().waitFor()
      await page.getByRole('group', { name: 'Steps' }).getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('No. 1', { exact: true }).fill('Take a box')
      await visitor.press('Control+s')
      await waitForState(page, 'Saved')
      const id = new URL(page.url()).pathname.split('/').at(-2) ?? ''
      assert.deepEqual((await stored(id)).metadata, { steps: ['Take a box'] })
      await page.getByText('More', { exact: true }).click()
      await page.getByLabel('Published at').fill('nowhere')
      await page.getByText('More', { exact: true }).click()
      await visitor.press('Control+s')
      await page.getByText('Enter an address that begins with').waitFor()
      await visitor.focusOn('Published at')
      await visitor.close()
    })

    inGate('an earlier version is compared and restored; what it replaces stays', async () => {
      const { id } = await make({ title: 'Rules', content: 'Wear a helmet.\n' })
      await stage.service.call('PATCH', `${ENTRIES}/${id}`, { body: { content: 'Wear a hat.\n', tags: ['x'] } })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, `/console/entries/${id}/versions`)
      await page.locator('.text-diff del', { hasText: 'helmet' }).waitFor()
      await page.locator('.text-diff ins', { hasText: 'hat' }).waitFor()
      await page.getByRole('tab', { name: 'Whole text' }).click()
      await page.locator('.reading', { hasText: 'helmet' }).waitFor()
      await page.goBack()
      await page.locator('.text-diff').waitFor()
      await page.getByRole('button', { name: 'Restore this version' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click()
      await visitor.heading('Rules')
      const { content, tags, version } = await stored(id)
      assert.deepEqual([content, tags, version], ['Wear a helmet.\n', [], 3])
      await visitor.close()
    })

    inRest('a reader sees no way to write, and is told who can give it', async () => {
      const { id } = await make({ title: 'Readable' })
      const visitor: Visitor = await stage.visit(LOOKS[1])
      await visitor.signIn(PEOPLE.reader, PASSWORD, `/console/entries/${id}`)
      await visitor.heading('Readable')
      assert.equal(await visitor.page.getByRole('link', { name: 'Bearbeiten' }).count(), 0)
      await visitor.goTo(edit(id))
      await visitor.heading('Sie dürfen Einträge lesen, aber nicht schreiben')
      await visitor.assertSound('the editor for readers')
      await visitor.close()
    })
  })
}
