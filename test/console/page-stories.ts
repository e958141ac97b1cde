import assert from 'node:assert/strict'
import { ADMIN, KEYS, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS } from './visitor.ts'

/** Links of the menu that only administrators see. */
const ADMIN_MENU = [
  'Connect',
  'First steps',
  'General',
  'People',
  'Single sign-on',
  'API keys',
  'OAuth clients',
  'Audit trail',
  'System',
]

/** Declares the stories that hold for every page. */
export function pageStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate(
    'the menu has the pages that a person may use: all for administrators, their own connections for others',
    async () => {
      for (const { email, menu, applications, others } of [
        { email: ADMIN, menu: ADMIN_MENU, applications: 'OAuth clients', others: 1 },
        {
          email: 'editor@x',
          menu: ['Connect', 'Connected applications'],
          applications: 'Connected applications',
          others: 0,
        },
        {
          email: 'reader@x',
          menu: ['Connect', 'Connected applications'],
          applications: 'Connected applications',
          others: 0,
        },
      ]) {
        const visitor = await stage.visit()
        const { page } = visitor
        await visitor.signIn(email, PASSWORD)
        await visitor.heading('What would you like to know?')
        const links = page
          .getByRole('navigation', { name: 'Main navigation' })
          .getByRole('list', { name: 'Settings' })
          .getByRole('link')
        assert.deepEqual(await links.allInnerTexts(), menu)
        await links.first().click()
        await visitor.heading(menu[0])
        assert.equal(await links.first().getAttribute('aria-current'), 'page')
        await links.filter({ hasText: applications }).click()
        await visitor.heading(applications)
        await page.getByRole('heading', { level: 2, name: 'Connections' }).waitFor()
        assert.equal(await page.getByRole('heading', { name: 'Registered applications' }).count(), others)
        await visitor.close()
      }
    },
  )

  inRest('a person without the role of an administrator is told so on the page of keys', async () => {
    const visitor = await stage.visit()
    await visitor.signIn('reader@x', PASSWORD, KEYS)
    await visitor.page.getByText('Only administrators can manage API keys.').waitFor()
    await visitor.assertSound('the keys of a reader')
    await visitor.close()
  })

  inGate(
    'after a release an open page loads itself anew where it needs a file that is gone, and not before',
    async () => {
      const visitor = await stage.visitAlone()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD)
      await page.getByRole('heading', { name: 'New in your knowledge' }).waitFor()
      await page.evaluate('window.isOld = true')
      let isGone = true
      await page.route('**/assets/*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
      // The new release's page has the new release's files.
      page.on('request', (request) => {
        if (request.isNavigationRequest()) isGone = false
      })
      const link = page.getByRole('link', { name: 'API keys' })
      const failed = page.waitForResponse((response) => response.status() === 404)
      await link.hover()
      await failed
      // The page waits longer than both tries take.
      await page.waitForTimeout(1_000)
      assert.equal(await page.evaluate('window.isOld'), true, 'pointing at a link takes nothing away')
      const loaded = page.waitForEvent('load')
      await link.click()
      await loaded
      await visitor.heading('API keys')
      assert.equal(await page.evaluate('window.isOld'), undefined)
      // React logs the error that the page has caught.
      assert.ok(visitor.complaints.splice(0).every((complaint) => complaint.startsWith('FileGone')))
      await visitor.close()
    },
  )

  inRest('a service that does not answer is said in words, and trying again goes on', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD)
    await page.getByRole('heading', { name: 'New in your knowledge' }).waitFor()
    await page.route('**/api/knowledge/api-keys*', (route) => route.abort())
    await visitor.navigate('API keys')
    await page.getByText('The service cannot be reached.').waitFor()
    await page.unroute('**/api/knowledge/api-keys*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    await visitor.close()
  })

  inGate('the chosen language is kept', async () => {
    const visitor = await stage.visit()
    await visitor.goTo('/console/sign-in')
    await visitor.page.getByLabel('Language').selectOption('Deutsch')
    await visitor.heading('Anmelden')
    assert.equal(await visitor.page.evaluate('document.documentElement.lang'), 'de')
    await visitor.page.reload()
    await visitor.heading('Anmelden')
    await visitor.close()
  })

  inRest('every page is accessible and fits the screen, in both languages and themes, wide and narrow', async () => {
    const application = await stage.connect('An assistant with a rather long name, as some have')
    await stage.service.key(['knowledge:read'])
    for (const look of LOOKS) {
      const visitor = await stage.visit(look)
      const { page } = visitor
      const sound = (what: string) => visitor.assertSound(`${what}, ${Object.values(look).join(' ')}`)
      await visitor.goTo('/console/sign-in?fault=provider_failed')
      await page.locator('form').waitFor()
      await page.locator('form button[type=submit]').click()
      await page.locator('.field-fault').first().waitFor()
      await sound('sign-in')
      await visitor.goTo(application.authorizeUrl('knowledge:read knowledge:delete visibility:restricted'))
      await page.locator('form').waitFor()
      await sound('sign-in of a request')
      await visitor.fillSignIn(ADMIN, PASSWORD)
      await page.locator('.facts').waitFor()
      await sound('consent')
      await page.locator('.decision .button-main').click()
      await application.answer()
      await page.waitForURL(/callback/)
      await visitor.goTo(KEYS)
      await page.locator('table').waitFor()
      await sound('keys')
      await page.locator('.page-head .button-main').click()
      await page.locator('.dialog select').first().waitFor()
      await sound('issuing')
      await page.locator('.dialog [name=name]').fill(`Key ${look.locale} ${look.width}`)
      await page.locator('.dialog button[type=submit]').click()
      await page.locator('.dialog .code').waitFor()
      await sound('issued')
      await page.locator('.dialog .dialog-actions button').click()
      await page.locator('td.actions button').first().click()
      await page.locator('.dialog .button-danger').waitFor()
      await sound('revoking')
      await page.keyboard.press('Escape')
      await visitor.navigate(look.locale === 'de-DE' ? 'OAuth-Clients' : 'OAuth clients')
      await page.locator('table').nth(1).waitFor()
      await sound('clients')
      await visitor.goTo('/console/nowhere')
      await page.locator('h1').waitFor()
      await sound('not found')
      await visitor.close()
    }
  })
}
