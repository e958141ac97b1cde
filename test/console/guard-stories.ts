import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { ADMIN, PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import type { Visitor } from './visitor.ts'

const API = '/api/knowledge'
const ENTRIES = `${API}/knowledge-entries`
const KEYS = /\/api\/knowledge\/api-keys(\?|$)/

/**
 * Declares the stories of two people who change the same thing, of a dialog that is closed by mistake, and of a
 * connection that hangs: no typed text is lost.
 */
export function guardStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  describe('text that a person typed', () => {
    let site: string

    before(async () => {
      const { body } = await stage.service.call('POST', `${API}/sites`, { body: { name: 'Guarded', slug: 'guarded' } })
      site = body.id
    })

    const read = async (path: string) => (await stage.service.call('GET', `${API}/${path}`)).body
    const others = (path: string, body: object, method = 'PATCH') =>
      stage.service.call(method, `${API}/${path}`, { body })
    const make = async (path: string, body: object): Promise<string> => {
      const answer = await stage.service.call('POST', `${API}/${path}`, { body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body.id
    }
    const enter = async (path: string, who: string = ADMIN): Promise<Visitor> => {
      const visitor = await stage.visit()
      await visitor.signIn(who, PASSWORD, path)
      return visitor
    }
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const told = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).first().waitFor()
    const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
    const MET = 'Somebody else changed this while you were here'

    inRest(
      'stays beside what another person set in the same category, and the person overwrites it or takes it over',
      async () => {
        const id = await make('categories', { name: 'Deliveries', description: 'As it was' })
        const visitor = await enter(`/console/categories?category=${id}`)
        const { page } = visitor
        const name = page.getByLabel('Name')
        await press(page, 'Rename')
        await name.fill('Deliveries and returns')
        await others(`categories/${id}`, { name: 'Shipping', description: 'Theirs stays' })
        await press(page, 'Save')
        await told(page, MET)
        await page.getByText('Name: they set “Shipping”, you “Deliveries and returns”').waitFor()
        assert.equal(await name.inputValue(), 'Deliveries and returns')
        assert.equal((await read(`categories/${id}`)).name, 'Shipping', 'nothing is overwritten without a question')
        await visitor.assertSound('a category that two people changed')
        await press(page, 'Overwrite with mine')
        await closed(page)
        const stored = await read(`categories/${id}`)
        assert.deepEqual([stored.name, stored.description], ['Deliveries and returns', 'Theirs stays'])

        await press(page, 'Rename')
        await name.fill('Mine')
        await others(`categories/${id}`, { name: 'Theirs' })
        await press(page, 'Save')
        await told(page, MET)
        await press(page, 'Take over theirs')
        assert.equal(await name.inputValue(), 'Theirs')
        await press(page, 'Save')
        await closed(page)
        assert.equal((await read(`categories/${id}`)).name, 'Theirs')
        await visitor.close()
      },
    )

    inRest('is written with the state that was read, so that a change between the two is met as well', async () => {
      const id = await make('categories', { name: 'Between' })
      const visitor = await enter(`/console/categories?category=${id}`)
      const { page } = visitor
      await press(page, 'Rename')
      await page.getByLabel('Name').fill('Mine')
      let isFirst = true
      await page.route(`**/categories/${id}`, async (route) => {
        if (route.request().method() !== 'PATCH' || !isFirst) return route.continue()
        isFirst = false
        await others(`categories/${id}`, { name: 'At the last moment' })
        return route.continue()
      })
      await press(page, 'Save')
      await page.getByText('Name: they set “At the last moment”, you “Mine”').waitFor()
      assert.equal((await read(`categories/${id}`)).name, 'At the last moment')
      await visitor.close()
    })

    inRest('of a project, a person or a rule meets what another administrator set there, too', async () => {
      const project = await make('projects', { name: 'Launch' })
      const rule = await make(`sites/${site}/merchandising`, { name: 'Sale', action: 'hide', brands: ['Acme'] })
      const [person] = await read(`users?query=${PEOPLE.reader}`)
      const visitor = await enter(`/console/projects?id=${project}`)
      const { page } = visitor
      await press(page, 'Rename')
      await page.getByLabel('Name').fill('Launch in May')
      await others(`projects/${project}`, { name: 'Launch in June' })
      await press(page, 'Save')
      await page.getByText('Name: they set “Launch in June”, you “Launch in May”').waitFor()
      await press(page, 'Overwrite with mine')
      await closed(page)
      assert.equal((await read(`projects/${project}`)).name, 'Launch in May')

      await visitor.goTo(`/console/settings/people/${person.id}`)
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('Rita R.')
      await others(`users/${person.id}`, { name: 'Rita Read' })
      await press(page, 'Save')
      await page.getByText('Name: they set “Rita Read”, you “Rita R.”').waitFor()
      await visitor.assertSound('a person whom two administrators changed')
      await press(page, 'Take over theirs')
      assert.equal(await name.inputValue(), 'Rita Read')
      await others(`users/${person.id}`, { name: person.name })

      await visitor.goTo(`/console/products/rules/${rule}?site=guarded`)
      await name.fill('Summer sale')
      await others(
        `sites/${site}/merchandising/${rule}`,
        { name: 'Winter sale', action: 'hide', brands: ['Brio'] },
        'PUT',
      )
      await press(page, 'Save')
      await page.getByText('Name: they set “Winter sale”, you “Summer sale”').waitFor()
      await press(page, 'Overwrite with mine')
      await page.waitForURL(/\/products\/rules\?/)
      const stored = await read(`sites/${site}/merchandising/${rule}`)
      assert.deepEqual([stored.name, stored.brands], ['Summer sale', ['Brio']], 'what only they changed stays')
      await visitor.close()
    })

    inGate(
      'into a dialog is not gone with Escape or the cross: it asks once, and only when there is something',
      async () => {
        const visitor = await enter('/console/projects')
        const { page } = visitor
        const dialog = page.getByRole('dialog', { name: 'New project' })
        const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
        // Escape pressed before the dialog has the focus goes to the page.
        const hasFocus = (role: string) => page.locator(`[role=${role}]:focus, [role=${role}] :focus`).waitFor()
        await press(page, 'New project')
        await hasFocus('dialog')
        await visitor.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await press(page, 'New project')
        await page.getByLabel('Name').pressSequentially('Half a thought')
        await visitor.press('Escape')
        await question.waitFor()
        await visitor.assertSound('the question before something typed goes')
        assert.equal(await visitor.focused(), 'Keep writing')
        await visitor.press('Enter')
        await question.waitFor({ state: 'detached' })
        assert.equal(await page.getByLabel('Name').inputValue(), 'Half a thought')
        await dialog.getByRole('button', { name: 'Close' }).click()
        await question.waitFor()
        await hasFocus('alertdialog')
        await visitor.press('Escape')
        await question.waitFor({ state: 'detached' })
        await hasFocus('dialog')
        assert.ok(await dialog.isVisible(), 'Escape at the question keeps what was typed')
        await visitor.press('Escape')
        await question.getByRole('button', { name: 'Discard' }).click()
        await dialog.waitFor({ state: 'detached' })
        await press(page, 'New project')
        await page.getByLabel('Name').pressSequentially('x')
        await visitor.press('Backspace', 'Escape')
        await dialog.waitFor({ state: 'detached' })
        await visitor.close()
      },
    )

    inRest(
      'is still there when a connection hangs: after a minute the page says so, and the next try saves it',
      async () => {
        const visitor = await stage.visitAlone()
        const { page } = visitor
        await page.clock.install()
        await visitor.signIn(ADMIN, PASSWORD, '/console/projects')
        await press(page, 'New project')
        await page.getByLabel('Name').fill('Through a tunnel')
        const hanging: Route[] = []
        await page.route(`**${API}/projects`, (route) => {
          if (route.request().method() === 'POST') hanging.push(route)
          else void route.continue()
        })
        await press(page, 'Create project')
        await page.locator('.button-waiting').waitFor()
        await page.clock.fastForward('01:01')
        await told(page, 'The service has not answered in time. It may have saved this all the same.')
        assert.equal(await page.getByLabel('Name').inputValue(), 'Through a tunnel')
        assert.equal(hanging.length, 1)
        await page.unroute(`**${API}/projects`)
        await press(page, 'Create project')
        await page.getByText('“Through a tunnel” is created.').waitFor()

        const keysRequest = page.waitForRequest(KEYS)
        await page.route(KEYS, () => {})
        await visitor.navigate('API keys')
        await keysRequest
        await page.clock.fastForward('00:31')
        await page.getByText('The service has not answered in time. Check the connection').waitFor()
        await page.unroute(KEYS)
        await visitor.close()
      },
    )

    inGate(
      'as a new entry is stored once, also when the answer is lost and what was typed since then is saved again',
      async () => {
        const category = await stage.service.category('Cut off')
        const visitor = await enter(`/console/entries/new?category=${category}&title=Once`, PEOPLE.editor)
        const { page } = visitor
        const write = async (words: string): Promise<void> => {
          await page.locator('.editor-text').focus()
          await page.keyboard.type(words)
        }
        const waitForState = (words: RegExp) => page.locator('.save-state').filter({ hasText: words }).waitFor()
        const stored = async (): Promise<{ title: string; content: string; version: number }[]> =>
          (await stage.service.call('GET', `${ENTRIES}?category_id=${category}`)).body
        // The service stores the entry; then the connection is cut, also for the request that looks for the entry.
        await page.route(/\/knowledge-entries(\?.*)?$/, async (route) => {
          if (route.request().method() === 'POST') await route.fetch()
          await route.abort()
        })
        await write('Written before the cut.')
        await visitor.press('Control+s')
        await told(page, 'The service cannot be reached.')
        assert.equal((await stored()).length, 1)
        await page.unroute(/\/knowledge-entries(\?.*)?$/)
        await write(' And after it.')
        await visitor.press('Control+s')
        await page.waitForURL(/\/edit$/)
        await waitForState(/^Saved$/)
        const [entry, ...more] = await stored()
        assert.deepEqual(more, [])
        assert.deepEqual([entry.title, entry.version], ['Once', 2])
        assert.match(entry.content, /Written before the cut\. And after it\./)
        await visitor.close()
      },
    )

    inRest('is saved to the last key, also when the save comes before the page has drawn what was typed', async () => {
      const category = await stage.service.category('Quick fingers')
      const visitor = await enter(`/console/entries/new?category=${category}&title=Quick`, PEOPLE.editor)
      const { page } = visitor
      await page.locator('.editor-text').focus()
      // Control-S is pressed in the moment in which the visual view has passed its text on.
      await page.evaluate(`{
        const wait = window.setTimeout.bind(window)
        window.setTimeout = (run, ms) => wait(() => {
          run()
          if (ms === 250) window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, cancelable: true }))
        }, ms)
      }`)
      await page.keyboard.type('To the last key.')
      await page.waitForURL(/\/edit$/)
      await page
        .locator('.save-state')
        .filter({ hasText: /^Saved$/ })
        .waitFor()
      const { body } = await stage.service.call('GET', `${ENTRIES}?category_id=${category}`)
      assert.deepEqual([body.length, body[0].content.trim()], [1, 'To the last key.'])
      await visitor.close()
    })

    inRest(
      'is not asked for again where the line is cut for the answer alone: the entry is found and counts as saved',
      async () => {
        const category = await stage.service.category('Cut off for a moment')
        const visitor = await enter(`/console/entries/new?category=${category}&title=Found`, PEOPLE.editor)
        const { page } = visitor
        await page.route(/\/knowledge-entries$/, async (route) => {
          if (route.request().method() !== 'POST') return route.continue()
          await route.fetch()
          return route.abort()
        })
        await page.locator('.editor-text').focus()
        await page.keyboard.type('Stored, and nobody was told.')
        await visitor.press('Control+s')
        await page.waitForURL(/\/edit$/)
        const { body } = await stage.service.call('GET', `${ENTRIES}?category_id=${category}`)
        assert.equal(body.length, 1)
        await visitor.close()
      },
    )

    inRest('finds a person for a key and in the audit trail without loading all people', async () => {
      const visitor = await enter('/console/settings/api-keys')
      const { page } = visitor
      const queries: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname === `${API}/users`) queries.push(search)
      })
      await press(page, 'Issue key')
      await page.getByLabel('Name').fill('For Rita')
      const user = page.getByRole('combobox', { name: 'User' })
      await user.click()
      await page.keyboard.type('rita')
      await page.getByRole('option', { name: /Rita Reader/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
      await page.getByRole('dialog').getByLabel('API key', { exact: true }).waitFor()
      const keys = (await stage.service.call('GET', `${API}/api-keys?limit=1000`)).body
      const [person] = await read(`users?query=${PEOPLE.reader}`)
      assert.equal(keys.find(({ name }: { name: string }) => name === 'For Rita').user.id, person.id)

      await visitor.goTo('/console/settings/audit-trail')
      const who = page.getByRole('combobox', { name: 'Person' })
      await who.click()
      await page.keyboard.type('rita')
      await page.getByRole('option', { name: /Rita Reader/ }).click()
      await page.waitForURL(new RegExp(`person=${person.id}`))
      await page
        .getByRole('row', { name: /Rita Reader/ })
        .or(page.getByText('Rita Reader'))
        .first()
        .waitFor()
      await visitor.assertSound('an audit trail of one person')
      await page.locator('.audit-filters .pick-open').click()
      await page.getByRole('option', { name: 'Anybody' }).click()
      await page.waitForURL((url) => !url.search.includes('person='))
      assert.ok(queries.length > 0 && queries.every((query) => query.includes('limit=50')), queries.join(' '))
      await visitor.close()
    })
  })
}
