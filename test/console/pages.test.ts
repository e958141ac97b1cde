import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { setPassword } from '../../src/sessions/set-password.ts'
import { createUser } from '../../src/tenants/rules.ts'
import { CLIENT, OutsideProvider } from '../sessions/outside-provider.ts'
import { startChromium, WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { Application } from './application.ts'
import { type Look, LOOKS, Visitor } from './visitor.ts'

const ADMIN = 'admin@localhost'
const PASSWORD = 'correct horse battery'
const KEYS = '/console/settings/api-keys'
const CLIENTS = '/console/settings/oauth-clients'

// One database is enough: what differs between them lies far below the pages.
describe('the console in a browser', { skip: WITHOUT_CHROMIUM }, () => {
  let service: TestService
  let outside: OutsideProvider
  let browser: Browser
  let base: string
  const applications: Application[] = []
  before(async () => {
    outside = await OutsideProvider.start()
    service = await TestService.start(DATABASES[0], {
      BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
      SIGN_IN_ISSUER: outside.issuer,
      SIGN_IN_CLIENT_ID: CLIENT.id,
      SIGN_IN_CLIENT_SECRET: CLIENT.secret,
      SIGN_IN_NAME: 'Company login',
    })
    outside.open([`${service.service.publicUrl}/sign-in/provider/callback`])
    base = service.service.publicUrl
    browser = await startChromium()
    await person('reader@x', 'Rita Reader', 'reader')
  })
  after(async () => {
    for (const application of applications) await application.close()
    await browser?.close()
    await service?.stop()
    await outside?.stop()
  })

  async function person(email: string, name: string, role: string, tenant = 'default'): Promise<void> {
    const { id } = await createUser(service.database, tenant, { email, name, role })
    await setPassword(service.database, tenant, id, PASSWORD)
  }
  const visit = (look: Look = LOOKS[0]) => Visitor.open(browser, base, look)
  async function connect(name: string): Promise<Application> {
    const application = await Application.register(service, base, name)
    applications.push(application)
    return application
  }
  const statusWith = async (key: string) => (await service.call('GET', '/api/knowledge/categories', { key })).status

  test('a wrong password says so, the right one leads to where one wanted to go, and signing out ends it', async () => {
    const visitor = await visit()
    const { page } = visitor
    await visitor.goTo(`${KEYS}?from=mail`)
    await visitor.heading('Sign in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    assert.equal(await page.evaluate('document.activeElement.name'), 'email')
    await visitor.fillSignIn(ADMIN, 'not the password')
    await page.getByRole('alert').filter({ hasText: 'do not fit' }).waitFor()
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await page.waitForURL(`${base}${KEYS}?from=mail`)
    await visitor.heading('API keys')
    await page.getByText('Signed in as').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.heading('Sign in')
    await visitor.goTo(KEYS)
    await visitor.heading('Sign in')
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('an address in the link of another host is not gone to after signing in', async () => {
    const visitor = await visit()
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      await visitor.signIn(ADMIN, PASSWORD, elsewhere)
      await visitor.page.waitForURL(`${base}${KEYS}`)
      await visitor.page.context().clearCookies()
    }
    await visitor.close()
  })

  test('who is known in two organisations is asked which one is meant', async () => {
    await service.tenant('second')
    await person('both@x', 'Bo Both', 'reader')
    await person('both@x', 'Bo Both', 'reader', 'second')
    const visitor = await visit()
    await visitor.goTo('/console/sign-in')
    await visitor.fillSignIn('both@x', PASSWORD)
    const field = visitor.page.getByLabel('Organisation')
    await field.waitFor()
    assert.equal(await visitor.page.evaluate('document.activeElement.name'), 'tenant')
    await visitor.assertSound('the question for the organisation')
    await field.fill('second')
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await visitor.page.locator('.account').filter({ hasText: 'second' }).waitFor()
    await visitor.close()
  })

  test('too many attempts are told how long to wait', async () => {
    await person('forgetful@x', 'Fay', 'reader')
    const visitor = await visit()
    await visitor.goTo('/console/sign-in')
    const told = visitor.page.getByText(/You can try again in (\d+ min )?\d+ s\./)
    const button = visitor.page.locator('form button[type=submit]')
    const body = { email: 'forgetful@x', password: 'wrong' }
    const sent = { key: null, body, headers: { origin: base } }
    for (let status = 401; status === 401;) {
      status = (await service.call('POST', '/api/session', sent, base)).status
    }
    await visitor.fillSignIn(body.email, body.password)
    await told.waitFor()
    assert.ok(await button.isDisabled())
    await visitor.assertSound('the sign-in that has to wait')
    await visitor.close()
  })

  test('a key is issued, shown once, copied, used, and refused once it is revoked', async () => {
    const visitor = await visit()
    const { page } = visitor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base })
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Please give the key a name.').waitFor()
    await dialog.getByLabel('Name').fill('Website import')
    await dialog.getByRole('radio', { name: 'Editor' }).check()
    await dialog.getByLabel('Delete entries').uncheck()
    assert.ok(await dialog.getByRole('radio', { name: 'Own choice' }).isChecked())
    await dialog.getByLabel('Expires').selectOption('days30')
    await dialog.getByRole('button', { name: 'Issue key' }).click()

    const shown = dialog.getByLabel('API key', { exact: true })
    const key = await shown.inputValue()
    assert.match(key, /^ks_[0-9A-Za-z]{40}$/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.ok(await shown.isVisible(), 'a stray Escape loses the key')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await dialog.getByRole('button', { name: 'I have kept it' }).click()
    assert.ok(!(await page.content()).includes(key))

    assert.equal(await statusWith(key), 200)
    const row = page.getByRole('row', { name: /Website import/ })
    await row.getByText('Active').waitFor()
    await row.getByRole('group').locator('summary').click()
    assert.ok(await row.getByText('Create and change entries').isVisible())
    assert.ok(!(await row.getByText('Delete entries').isVisible()))
    await row.getByRole('button', { name: 'Revoke Website import' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Revoke', 'the focus comes back')
    assert.equal(await statusWith(key), 200)
    await row.getByRole('button', { name: 'Revoke Website import' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('status').filter({ hasText: '“Website import” is revoked.' }).waitFor()
    await row.getByText('Revoked').waitFor()
    assert.equal(await statusWith(key), 401)
    await visitor.assertSound('the list after a revocation')
    await visitor.close()
  })

  test('a session that ended elsewhere leads to the sign-in and back', async () => {
    const visitor = await visit()
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await visitor.page.getByRole('table').waitFor()
    await visitor.page.context().clearCookies()
    await visitor.page.getByRole('button', { name: 'Issue key' }).click()
    await visitor.heading('Sign in')
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await visitor.heading('API keys')
    await visitor.close()
  })

  test('a person allows an application less than it asks for, sees it in the list and disconnects it', async () => {
    const application = await connect('Notes assistant')
    const visitor = await visit()
    const { page } = visitor
    await visitor.goTo(application.authorizeUrl('knowledge:read knowledge:write knowledge:delete visibility:internal'))
    await visitor.heading('Sign in')
    await page.getByText('“Notes assistant” wants to work with your knowledge.').waitFor()
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await visitor.heading('Allow “Notes assistant”?')
    for (const fact of ['Registered by your organisation', 'localhost', 'this computer', ADMIN, 'Default', '/mcp']) {
      assert.ok((await page.getByRole('main').innerText()).includes(fact), fact)
    }
    assert.ok(await page.locator('label').filter({ hasText: 'Delete entries' }).getByText('Caution').isVisible())
    await visitor.assertSound('consent')
    await page.getByLabel('Delete entries').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await application.answer()
    await page.waitForURL(/callback/)
    const { scope, access_token: token } = await application.redeem(answer)
    assert.deepEqual(scope.split(' ').sort(), ['knowledge:read', 'knowledge:write', 'visibility:internal'])
    assert.equal(await statusWith(token), 200)

    await visitor.goTo(CLIENTS)
    const grants = page.getByRole('table', { name: 'Connections' })
    await grants.getByRole('button', { name: 'Disconnect Notes assistant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('“Notes assistant” is disconnected.').waitFor()
    await page.getByText('Nothing is connected.').waitFor()
    assert.equal(await statusWith(token), 401)

    await page.getByRole('button', { name: 'Remove Notes assistant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No application is registered.').waitFor()
    await visitor.assertSound('the lists when they are empty')
    await visitor.close()
  })

  test('somebody signs in at the outside provider, and names the organisation when it has to be', async () => {
    outside.subject = 'bo'
    outside.accounts.set('bo', { email: 'both@x', email_verified: true })
    const visitor = await visit()
    const { page } = visitor
    await visitor.goTo(`/console/sign-in?return_to=${encodeURIComponent(CLIENTS)}`)
    await page.getByRole('link', { name: 'Continue with Company login' }).click()
    await page.getByText('Which organisation?').waitFor()
    await page.getByLabel('Organisation').fill('second')
    await page.getByRole('link', { name: 'Continue with Company login' }).click()
    await page.waitForURL(`${base}${CLIENTS}`)
    await page.locator('.account').filter({ hasText: 'second' }).waitFor()

    const application = await connect('Careful as well')
    await page.context().clearCookies()
    await visitor.signIn(ADMIN, PASSWORD)
    outside.subject = 'admin'
    outside.accounts.set('admin', { email: ADMIN, email_verified: true })
    await visitor.goTo(application.authorizeUrl('knowledge:read', { prompt: 'login' }))
    await page.getByRole('link', { name: 'Continue with Company login' }).click()
    await page.getByRole('button', { name: 'Continue as Administrator' }).click()
    await visitor.heading('Allow “Careful as well”?')
    await visitor.close()
  })

  test('an account of another organisation cannot allow, and signs in as somebody else', async () => {
    const application = await connect('Neighbourly')
    const visitor = await visit()
    await service.tenant('elsewhere')
    await person('far@x', 'Fara Way', 'reader', 'elsewhere')
    await visitor.signIn('far@x', PASSWORD)
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.page.getByText('belongs to another organisation').waitFor()
    await visitor.assertSound('the request of another organisation')
    await visitor.page.getByRole('button', { name: 'Use another account' }).click()
    await visitor.fillSignIn('reader@x', PASSWORD)
    await visitor.heading('Allow “Neighbourly”?')
    await visitor.close()
  })

  test('who is signed in goes on without a password and denies, and the application is told', async () => {
    const application = await connect('Curious')
    const visitor = await visit()
    await visitor.signIn('reader@x', PASSWORD)
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.page.getByRole('button', { name: 'Continue as Rita Reader' }).click()
    await visitor.heading('Allow “Curious”?')
    await visitor.page.getByRole('button', { name: 'Deny' }).click()
    assert.equal((await application.answer()).get('error'), 'access_denied')
    await visitor.close()
  })

  test('an application may ask for a new sign-in, and a session that ends meanwhile is renewed in place', async () => {
    const application = await connect('Careful')
    const visitor = await visit()
    const { page } = visitor
    await visitor.signIn('reader@x', PASSWORD)
    await visitor.goTo(application.authorizeUrl('knowledge:read', { prompt: 'login' }))
    await page.getByText('“Careful” asks that you sign in again.').waitFor()
    await visitor.fillSignIn('reader@x', PASSWORD)
    await visitor.heading('Allow “Careful”?')
    await page.request.delete(`${base}/api/session`, { headers: { origin: base } })
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Your sign-in has run out.').waitFor()
    await visitor.assertSound('a consent whose session ended')
    await visitor.fillSignIn('reader@x', PASSWORD)
    await page.getByRole('button', { name: 'Allow' }).click()
    const { scope } = await application.redeem(await application.answer())
    assert.equal(scope, 'knowledge:read')
    await visitor.close()
  })

  test('the request of another browser, or one that is over, cannot be decided', async () => {
    const visitor = await visit()
    await visitor.goTo('/oauth/interaction/somebody-elses')
    await visitor.heading('This request is over')
    await visitor.assertSound('a request that is over')
    await visitor.close()
  })

  test('who is no administrator sees their own connections, and is told why there are no keys', async () => {
    const visitor = await visit()
    await visitor.signIn('reader@x', PASSWORD)
    await visitor.heading('OAuth clients')
    await visitor.page.getByText('Only administrators see the registered applications.').waitFor()
    await visitor.assertSound('the connections of a reader')
    await visitor.page.getByRole('link', { name: 'API keys' }).click()
    await visitor.page.getByText('Only administrators manage API keys.').waitFor()
    await visitor.assertSound('the keys of a reader')
    await visitor.close()
  })

  test('the language is chosen by hand and kept', async () => {
    const visitor = await visit()
    await visitor.goTo('/console/sign-in')
    await visitor.page.getByLabel('Language').selectOption('Deutsch')
    await visitor.heading('Anmelden')
    assert.equal(await visitor.page.evaluate('document.documentElement.lang'), 'de')
    await visitor.page.reload()
    await visitor.heading('Anmelden')
    await visitor.close()
  })

  test('every page is sound in both languages and both themes, on a wide and on a narrow screen', async () => {
    const application = await connect('An assistant with a rather long name, as some have')
    await service.key(['knowledge:read'])
    for (const look of LOOKS) {
      const visitor = await visit(look)
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
      await page.locator('dialog select').first().waitFor()
      await sound('issuing')
      await page.locator('dialog [name=name]').fill(`Key ${look.locale} ${look.width}`)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .code').waitFor()
      await sound('issued')
      await page.locator('dialog .dialog-actions button').click()
      await page.locator('td.actions button').first().click()
      await page.locator('dialog .button-danger').waitFor()
      await sound('revoking')
      await page.keyboard.press('Escape')
      await page.locator('nav a').nth(1).click()
      await page.locator('table').nth(1).waitFor()
      await sound('clients')
      await visitor.goTo('/console/nowhere')
      await page.locator('h1').waitFor()
      await sound('not found')
      await visitor.close()
    }
  })
})
