import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Cookie, Page, Route } from 'playwright-core'
import { ADMIN, PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { LOOKS, type Visitor } from './visitor.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PROJECTS = '/api/knowledge/projects'
const SETTINGS = '/api/knowledge/tenant-settings'
const SLOW_MS = 1_500

/** Declares the stories of failures while people write: no typed text is lost, and the page says what to do. */
export function failureStories(stage: Stage): void {
  describe('failures while a person writes', () => {
    let category: string
    let session: readonly Cookie[]

    before(async () => {
      category = await stage.service.category('Failures')
      const visitor = await stage.visit()
      await visitor.signIn(PEOPLE.editor, PASSWORD)
      session = await visitor.cookies()
      await visitor.close()
    })

    const make = async (title: string): Promise<string> => {
      const body = { title, content: 'We open at nine.\n', category_id: category, language: 'en' }
      return (await stage.service.call('POST', ENTRIES, { body })).body.id
    }
    const stored = async (id: string) => (await stage.service.call('GET', `${ENTRIES}/${id}`)).body
    const edit = (id: string) => `/console/entries/${id}/edit`
    const text = (page: Page) => page.locator('.editor-text')
    const waitForState = (page: Page, words: string) => page.locator('.save-state').filter({ hasText: words }).waitFor()
    const saved = (page: Page) =>
      page
        .locator('.save-state')
        .filter({ hasText: /^Saved$/ })
        .waitFor()
    const told = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).first().waitFor()
    const slowly = async (route: Route): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      await route.continue()
    }
    /** Lets a request reach the service, and loses its answer. */
    const withoutAnswer = async (route: Route): Promise<void> => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      await route.abort()
    }
    const enter = async (path: string): Promise<Visitor> => {
      const visitor = await stage.visit()
      await visitor.goToWith(session, path)
      return visitor
    }
    const write = async (page: Page, words: string): Promise<void> => {
      await text(page).focus()
      await page.keyboard.type(words)
    }

    test('while the service starts anew, a text and a form stay where they are, and are saved once it is back', async () => {
      const id = await make('Restart')
      const visitor = await enter(edit(id))
      const { page } = visitor
      await write(page, 'Typed before the restart. ')
      const other = await page.context().newPage()
      await other.goto(`${stage.base}/console/projects`)
      await other.getByRole('button', { name: 'New project' }).click()
      await other.getByLabel('Name').fill('Typed before the restart')
      await stage.restart(async () => {
        await visitor.press('Control+s')
        await told(page, 'The service cannot be reached. What you typed is kept.')
        await waitForState(page, 'Not saved – still on this device')
        await other.getByRole('button', { name: 'Create project' }).click()
        await told(other, 'The service cannot be reached. What you typed is kept.')
      })
      await visitor.press('Control+s')
      await saved(page)
      assert.match((await stored(id)).content, /^Typed before the restart\./)
      await other.getByRole('button', { name: 'Create project' }).click()
      await other.getByText('“Typed before the restart” is created.').waitFor()
      await visitor.close()
    })

    test('on a slow network the page says that it saves, and pressing again and again makes one entry and one project', async () => {
      const visitor = await enter(`/console/entries/new?category=${category}&title=Slowly`)
      const { page } = visitor
      await page.route('**/api/knowledge/{knowledge-entries,projects}', (route) =>
        route.request().method() === 'POST' ? slowly(route) : route.continue(),
      )
      await write(page, 'Written on a train.')
      await visitor.press('Control+s', 'Control+s')
      await waitForState(page, 'Saving …')
      await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
      await write(page, ' And typed meanwhile.')
      await page.waitForURL(/\/edit$/)
      await waitForState(page, 'Not saved – still on this device')
      await visitor.press('Control+s')
      await saved(page)
      const { body } = await stage.service.call('GET', `${ENTRIES}?category_id=${category}`)
      const newEntries = body.filter(({ title }: { title: string }) => title === 'Slowly')
      assert.equal(newEntries.length, 1)
      assert.match((await stored(newEntries[0].id)).content, /And typed meanwhile\./)

      await visitor.goTo('/console/projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByLabel('Name').fill('Slow project')
      await visitor.press('Enter', 'Enter')
      await page.locator('.button-waiting').waitFor()
      await visitor.press('Enter')
      await page.getByText('“Slow project” is created.').waitFor()
      const projects = (await stage.service.call('GET', PROJECTS)).body
      assert.equal(projects.filter(({ name }: { name: string }) => name === 'Slow project').length, 1)
      await visitor.close()
    })

    test('when only the answer to a save is lost, the next save finds it done: no conflict with oneself, also in the settings', async () => {
      const id = await make('Lost answer')
      const visitor = await enter(edit(id))
      const { page } = visitor
      await page.route('**/knowledge-entries/*', withoutAnswer)
      await write(page, 'Once. ')
      await visitor.press('Control+s')
      await told(page, 'The service cannot be reached.')
      await page.unroute('**/knowledge-entries/*')
      await visitor.press('Control+s')
      await saved(page)
      const { version, content } = await stored(id)
      assert.deepEqual([version, content], [2, 'Once. We open at nine.\n'])

      await page.context().clearCookies()
      await visitor.signIn(ADMIN, PASSWORD, '/console/settings')
      await page.getByLabel('Keep deleted entries for').fill('45')
      await visitor.press('Tab')
      await page.route(`**${SETTINGS}`, withoutAnswer)
      await page.getByRole('button', { name: 'Save' }).click()
      await told(page, 'The service cannot be reached.')
      await page.unroute(`**${SETTINGS}`)
      await page.route(`**${SETTINGS}`, slowly)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Saving …' }).waitFor()
      await page.getByLabel('Name of the organisation').fill('Typed meanwhile')
      await page.getByText('Saved', { exact: true }).waitFor()
      await page.getByText('1 change is not saved').waitFor()
      assert.equal(await page.getByLabel('Name of the organisation').inputValue(), 'Typed meanwhile')
      assert.equal((await stage.service.call('GET', SETTINGS)).body.bin_days, 45)
      await stage.service.call('PATCH', SETTINGS, { body: { bin_days: 30 } })
      await visitor.close()
    })

    test('when another person signs in in another tab, nothing is sent in their name, and the writer goes on after signing in again', async () => {
      const id = await make('Two people')
      const visitor = await enter(edit(id))
      const { page } = visitor
      await write(page, 'Mine alone. ')
      await waitForState(page, 'Not saved – still on this device')
      const body = { email: PEOPLE.reader, password: PASSWORD, tenant: null }
      await page.request.post(`${stage.base}/api/session`, { data: body, headers: { origin: stage.base } })
      await page.evaluate('window.dispatchEvent(new Event("focus"))')
      const again = page.getByRole('dialog', { name: 'Sign in again' })
      await again.getByText('Rita Reader is signed in in this browser now.').waitFor()
      await visitor.assertSound('the question when somebody else has signed in')
      await visitor.press('Control+s')
      await visitor.fillSignIn(PEOPLE.editor, PASSWORD)
      await again.waitFor({ state: 'detached' })
      await saved(page)
      assert.equal((await stored(id)).content, 'Mine alone. We open at nine.\n')
      session = await visitor.cookies()
      await visitor.close()
    })

    test('a sign-out in one tab asks in the other for a new sign-in, and what waits there is sent after it', async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, '/console/projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByLabel('Name').fill('Typed before the sign-out')
      const other = await page.context().newPage()
      await other.goto(`${stage.base}/console`)
      await other.locator('.account').click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
      await other.locator('[name=email]').fill(PEOPLE.editor)
      await other.locator('[name=password]').fill(PASSWORD)
      await other.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Create project' }).click()
      await page.getByText('“Typed before the sign-out” is created.').waitFor()
      await visitor.close()
    })

    test('Back and another page ask before they take away what is typed in a form without a draft', async () => {
      const visitor = await enter('/console/projects')
      const { page } = visitor
      await visitor.goTo('/console/entries')
      await visitor.navigate('Projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByLabel('Name').fill('Half a name')
      await page.evaluate('history.back()')
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Half a name')
      assert.ok(await asksBeforeClosing(page), 'the browser asks, too')
      await page.evaluate('history.back()')
      await question.getByRole('button', { name: 'Leave' }).click()
      await visitor.heading('Entries')
      await visitor.close()
    })

    test('where the browser stores nothing, writers are told, and are asked before the text is gone', async () => {
      const id = await make('No storage')
      const visitor = await stage.visitAlone()
      const { page } = visitor
      await page.addInitScript(`
        const refuse = { get() { throw new DOMException('The operation is insecure', 'SecurityError') } }
        for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) Object.defineProperty(window, name, refuse)
      `)
      await visitor.goToWith(session, edit(id))
      await write(page, 'Nowhere else. ')
      await waitForState(page, 'Not saved – and this device cannot keep it.')
      assert.ok(await asksBeforeClosing(page))
      await page.getByRole('link', { name: 'Read', exact: true }).click()
      await page
        .getByRole('alertdialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Cancel' })
        .click()
      await visitor.press('Control+s')
      await saved(page)
      assert.equal((await stored(id)).content, 'Nowhere else. We open at nine.\n')
      assert.ok(!(await asksBeforeClosing(page)), 'what is saved needs no question')
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    })

    test('in a tab that has been open for long, a new release and a deleted entry take no text away', async () => {
      const id = await make('A day')
      const visitor = await enter(edit(id))
      const { page } = visitor
      await write(page, 'Typed today. ')
      await page.route('**/text-diff-body*', (route) => route.fulfill({ status: 404 }))
      await stage.service.call('PATCH', `${ENTRIES}/${id}`, { body: { content: 'Changed yesterday.\n' } })
      await visitor.press('Control+s')
      await page.getByText('Somebody else saved this entry meanwhile').waitFor()
      await told(page, 'A part of this page cannot be loaded')
      await page.getByRole('button', { name: 'Overwrite theirs' }).click()
      await saved(page)
      assert.equal((await stored(id)).content, 'Typed today. We open at nine.\n')
      await write(page, 'And again. ')
      await stage.service.call('DELETE', `${ENTRIES}/${id}`)
      await visitor.press('Control+s')
      await page.getByText('Somebody deleted this entry. Your text is still here').waitFor()
      await page.getByRole('button', { name: 'Save as a new entry' }).click()
      await saved(page)
      const copy = new URL(page.url()).pathname.split('/').at(-2) ?? ''
      assert.match((await stored(copy)).content, /And again\./)
      assert.ok(visitor.complaints.splice(0).every((complaint) => complaint.startsWith('FileGone')))
      await visitor.close()
    })

    test('without the file of the visual view, people write and save in the other one', async () => {
      const id = await make('Release')
      const visitor = await stage.visitAlone(LOOKS[1])
      const { page } = visitor
      await page.route('**/visual-editor*', (route) => route.fulfill({ status: 404 }))
      await visitor.goToWith(session, edit(id))
      await told(page, 'Ein Teil dieser Seite kann nicht geladen werden')
      await page.locator('.markdown-text').fill('Auch so geschrieben.\n')
      // React logs the error that the page has caught.
      assert.ok(visitor.complaints.splice(0).every((complaint) => complaint.startsWith('FileGone')))
      await visitor.assertSound('the editor without a part of it')
      await visitor.press('Control+s')
      await page
        .locator('.save-state')
        .filter({ hasText: /^Gespeichert$/ })
        .waitFor()
      assert.equal((await stored(id)).content, 'Auch so geschrieben.\n')
      await visitor.close()
    })

    test('a second tab on one entry says that the first is still writing, and takes nothing from it', async () => {
      const id = await make('Two tabs')
      const visitor = await enter(edit(id))
      const { page } = visitor
      await write(page, 'In the first tab. ')
      await waitForState(page, 'Not saved – still on this device')
      const other = await page.context().newPage()
      await other.goto(`${stage.base}${edit(id)}`)
      await other.getByText('You are writing on this entry in another tab').waitFor()
      assert.equal(await other.getByRole('button', { name: 'Discard it' }).count(), 0)
      await page.close()
      await other.reload()
      await other.getByRole('button', { name: 'Continue with it' }).click()
      await text(other).getByText('In the first tab.').waitFor()
      await visitor.close()
    })
  })
}

/** Tells whether the browser would ask before it closes the tab. */
const asksBeforeClosing = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  })()`)
