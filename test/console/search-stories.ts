import assert from 'node:assert/strict'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

const SEARCH = '/api/knowledge/knowledge-entries/search'

/** Declares the stories of search and reading, in the sample content. */
export function searchStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate('answers come while somebody types, with the words marked, and the address keeps the question', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD)
    await page.getByRole('heading', { name: 'New in your knowledge' }).waitFor()
    await visitor.press('Control+k')
    assert.equal(await visitor.focused(), 'Search')
    await page.keyboard.type('Rücksend', { delay: 20 })
    const hit = page.getByRole('link', { name: 'Rücksendung und Erstattung' })
    await hit.waitFor()
    await page.locator('.hit').filter({ has: hit }).locator('mark').first().waitFor()
    await page.getByRole('status').filter({ hasText: 'for “Rücksend”' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), 'Rücksend')

    await visitor.press('ArrowDown')
    assert.equal(
      await page.evaluate('document.activeElement.textContent'),
      await page.locator('.hit h2').first().innerText(),
    )
    await visitor.press('ArrowUp')
    assert.equal(await visitor.focused(), 'Search')
    await visitor.press('ArrowDown', 'Escape')
    assert.equal(await visitor.focused(), 'Search')
    await hit.click()
    await visitor.heading('Rücksendung und Erstattung')
    await page.goBack()
    await hit.waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Rücksend', exact: true }).waitFor()
    await visitor.signOut()
    assert.equal(
      await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('personal:')).length"),
      0,
    )
    await visitor.close()
  })

  inRest(
    'a person who types without a pause has an answer to each finished word, and no half word is asked for',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.reader, PASSWORD)
      const queries: string[] = []
      await page.route(`**${SEARCH}`, async (route) => {
        queries.push(route.request().postDataJSON().query)
        await route.continue().catch(() => {})
      })
      const field = page.locator('#search-field')
      await field.waitFor()
      // The typing is one step within the page, so that no pause comes about however busy the machine is.
      await page.evaluate(`{
      const field = document.querySelector('#search-field')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      for (const text of ['Hochb', 'Hochbeet', 'Hochbeet ', 'Hochbeet fül', 'Hochbeet füllen']) {
        set.call(field, text)
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
    }`)
      await page.getByRole('status').filter({ hasText: 'for “Hochbeet füllen”' }).waitFor()
      assert.deepEqual(queries, ['Hochbeet', 'Hochbeet füllen'])
      await visitor.close()
    },
  )

  inGate('the answer to an earlier question never takes the place of a newer one', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD)
    let release = (): void => {}
    const releaseOfFirst = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**${SEARCH}`, async (route) => {
      if (route.request().postDataJSON().query === 'Hochbeet') await releaseOfFirst
      await route.continue().catch(() => {})
    })
    const failedRequest = page.waitForEvent('requestfailed', (request) => request.url().endsWith(SEARCH))
    await page.locator('#search-field').fill('Hochbeet')
    await page.waitForRequest((request) => request.url().endsWith(SEARCH))
    await page.locator('#search-field').fill('Urlaubsantrag')
    await page.getByRole('link', { name: 'Urlaubsantrag stellen' }).waitFor()
    await failedRequest
    release()
    await page.getByRole('status').filter({ hasText: 'for “Urlaubsantrag”' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Hochbeet richtig befüllen' }).count(), 0)
    await visitor.close()
  })

  inRest(
    'filters are chips in the address, each step goes back, and where nothing is left one click clears them',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, '/console?q=garten')
      await page.locator('.hit').first().waitFor()
      await page.getByRole('button', { name: 'Language' }).click()
      await page.getByRole('option', { name: 'German' }).click()
      const chip = page.getByRole('row', { name: 'Language: German' })
      await chip.waitFor()
      assert.equal(new URL(page.url()).searchParams.get('language'), 'de')
      await page.getByRole('button', { name: 'Type' }).click()
      await page.getByRole('option', { name: 'Glossary term' }).click()
      await page.getByText('Nothing found for “garten”').last().waitFor()
      await page.getByText('There may be results without the filters.').waitFor()
      await page.goBack()
      await page.locator('.hit').first().waitFor()
      await chip.waitFor()
      await chip.focus()
      await visitor.press('Delete')
      await chip.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).searchParams.get('language'), null)
      await page.getByRole('link', { name: 'Search in Ratgeber › Garten' }).first().click()
      await page.getByRole('row', { name: 'Category: Garten' }).waitFor()
      await visitor.close()
    },
  )

  inRest('who opens a hit right after a letter gets its page, however slowly that is loaded', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, '/console')
    const field = page.locator('#search-field')
    await field.pressSequentially('Hochbeet ')
    const hit = page.getByRole('link', { name: 'Hochbeet richtig befüllen', exact: true })
    await hit.waitFor()
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.continue()
    })
    await field.press('f')
    await hit.click()
    await visitor.heading('Hochbeet richtig befüllen')
    await page.waitForTimeout(300)
    assert.match(new URL(page.url()).pathname, /\/console\/entries\//)
    await visitor.close()
  })

  inRest(
    'where nothing fits well the nearest entries are shown as such, and the missing one can be begun',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(
        PEOPLE.editor,
        PASSWORD,
        '/console?q=Apfelkuchen%20backen%20nach%20Omas%20Rezept%20im%20Garten',
      )
      await page.getByText(/^Nothing fits “Apfelkuchen .* well/).waitFor()
      const count = await page.locator('.hit').count()
      assert.ok(count > 0 && count <= 5)
      await page.getByRole('link', { name: 'Write the missing entry' }).waitFor()
      await visitor.close()
    },
  )

  inRest('a person who finds nothing and may write begins the missing entry with these words', async () => {
    const [editor, reader] = [await stage.visit(), await stage.visit()]
    await editor.signIn(PEOPLE.editor, PASSWORD, '/console?q=qzxwvkj')
    await editor.page.getByText('Nothing found for “qzxwvkj”').last().waitFor()
    await editor.assertSound('nothing found')
    await editor.page.getByRole('link', { name: 'Write the missing entry' }).click()
    await editor.heading('New entry')
    assert.equal(await editor.page.getByLabel('Title', { exact: true }).inputValue(), 'qzxwvkj')
    await reader.signIn(PEOPLE.reader, PASSWORD, '/console?q=qzxwvkj')
    await reader.page.getByText('Nothing found for “qzxwvkj”').last().waitFor()
    assert.equal(await reader.page.getByRole('link', { name: 'Write the missing entry' }).count(), 0)
    await editor.close()
    await reader.close()
  })

  inRest(
    'no person finds or opens what is above their ceiling, and the page says so without saying that it exists',
    async () => {
      const title = 'Preisverhandlung mit Lieferanten'
      const admin = await stage.visit()
      await admin.signIn(PEOPLE.admin, PASSWORD, `/console?q=${encodeURIComponent(title)}`)
      await admin.page.getByRole('link', { name: title, exact: true }).click()
      await admin.heading(title)
      await admin.page.getByText('Administrators').waitFor()
      const { pathname } = new URL(admin.page.url())
      await admin.close()
      const visitor = await stage.visit()
      await visitor.signIn(PEOPLE.reader, PASSWORD, pathname)
      await visitor.heading('This entry does not exist')
      await visitor.page.getByText('It was deleted, or you may not read it.').waitFor()
      await visitor.goTo(`/console?q=${encodeURIComponent(title)}`)
      await visitor.page.locator('.hit, .empty').first().waitFor()
      assert.equal(await visitor.page.getByRole('link', { name: title }).count(), 0)
      await visitor.close()
    },
  )

  inGate(
    'an entry shows its contents, translations and relatives, and who may read it, and its link can be copied',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.base })
      await visitor.signIn(PEOPLE.reader, PASSWORD, '/console?q=R%C3%BCcksendung')
      await page.getByRole('link', { name: 'Rücksendung und Erstattung' }).click()
      await visitor.heading('Rücksendung und Erstattung')
      assert.equal(await visitor.focused(), 'Rücksendung und Erstattung', 'the heading of the new page has the focus')
      assert.match(await page.title(), /^Rücksendung und Erstattung – /)
      await page.getByText('Everybody, also visitors of your web pages').waitFor()
      await page.getByRole('cell', { name: '3 bis 5 Werktage' }).waitFor()
      const contents = page.getByRole('navigation', { name: 'On this page' })
      assert.deepEqual(await contents.getByRole('link').allInnerTexts(), ['Ablauf', 'Erstattung', 'Ausnahmen'])
      await contents.getByRole('link', { name: 'Ausnahmen' }).click()
      assert.equal(await visitor.focused(), 'Ausnahmen')
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), page.url())
      await page.getByRole('region', { name: 'Related' }).getByRole('link').first().waitFor()
      await page
        .getByRole('region', { name: 'In other languages' })
        .getByRole('link', { name: 'Returns and refunds' })
        .click()
      await visitor.heading('Returns and refunds')
      assert.equal(await visitor.focused(), 'Returns and refunds')
      await visitor.close()
    },
  )

  inGate('HTML and scripts in an entry are never run, and pictures from elsewhere are links', async () => {
    const { body: category } = await stage.service.call('POST', '/api/knowledge/categories', { body: { name: 'Odd' } })
    const content = [
      '<script>window.hacked = 1</script> <img src=x onerror="window.hacked = 1">',
      '[a link](javascript:window.hacked=1)',
      '![a picture](https://example.com/a.png)',
    ].join('\n\n')
    const { body } = await stage.service.call('POST', '/api/knowledge/knowledge-entries', {
      body: { title: 'Odd text', content, category_id: category.id, visibility: 'internal', language: 'en' },
    })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD, `/console/entries/${body.id}`)
    const link = page.getByText('a link')
    await link.waitFor()
    assert.ok(!String(await link.getAttribute('href')).startsWith('javascript'))
    assert.equal(await page.getByRole('link', { name: 'a picture' }).getAttribute('href'), 'https://example.com/a.png')
    assert.equal(await page.evaluate('window.hacked'), undefined)
    await visitor.close()
  })

  inGate('pictures of other servers are drawn where the tenant allows it, and none of the service ever', async () => {
    const { body: category } = await stage.service.call('POST', '/api/knowledge/categories', { body: { name: 'Seen' } })
    const content = ['elsewhere', 'api', 'gone']
      .map((name) => `![${name}](${name === 'api' ? '/healthz' : `https://pictures.example/${name}.svg`})`)
      .join('\n\n')
    const { body } = await stage.service.call('POST', '/api/knowledge/knowledge-entries', {
      body: { title: 'Pictures', content, category_id: category.id, visibility: 'internal', language: 'en' },
    })
    const setting = (foreign_pictures: boolean) =>
      stage.service.call('PATCH', '/api/knowledge/tenant-settings', { body: { foreign_pictures } })
    await setting(true)
    const visitor = await stage.visit()
    const { page } = visitor
    const asked: { readonly url: string; readonly referrer: string | undefined }[] = []
    await page.route('https://pictures.example/**', async (route) => {
      const request = route.request()
      asked.push({ url: request.url(), referrer: (await request.allHeaders()).referer })
      if (request.url().endsWith('gone.svg')) return route.fulfill({ status: 404 })
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
    })
    // The page is loaded before anybody is signed in, so its first policy has no pictures of others.
    await visitor.signIn(PEOPLE.reader, PASSWORD, `/console/entries/${body.id}`)
    await page.getByRole('img', { name: 'elsewhere' }).waitFor()
    await page.getByRole('link', { name: 'gone' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'api', exact: true }).count(), 1)
    assert.ok(asked.length > 0 && asked.every(({ referrer }) => referrer === undefined))
    const violations = visitor.takeViolations()
    assert.ok(violations.every((text) => text.startsWith('img-src https://pictures.example/')))
    asked.length = 0
    await setting(false)
    await page.reload()
    await page.getByRole('link', { name: 'elsewhere' }).waitFor()
    assert.deepEqual(asked, [])
    await visitor.close()
  })
}
