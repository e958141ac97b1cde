import assert from 'node:assert/strict'
import type { CDPSession } from 'playwright-core'
import { resetFactors } from '../../src/identity/sessions/factors/reset-factors.ts'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { findUser } from '../../src/identity/users/rules.ts'
import { codeBefore, codeOf } from '../support/authenticator-app.ts'
import { KEYS, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'

const SECURITY = '/console/security'

/** Gives a visitor's browser a device that verifies its owner (WebAuthn automation, in Chromium by CDP). */
async function withDevice(visitor: Visitor): Promise<CDPSession> {
  const session = await visitor.page.context().newCDPSession(visitor.page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return session
}

/** Gives the password where the console asks who adds a factor. */
async function prove({ page }: Visitor, isGerman = false): Promise<void> {
  const [title, label, confirm] = isGerman
    ? ['Bestätigen Sie, dass Sie es sind', 'Passwort', 'Bestätigen']
    : ['Confirm it is you', 'Password', 'Confirm']
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel(label, { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
}

/** Sets up an authenticator app on the page that is open. @returns its secret and the recovery codes */
async function setUpApp(visitor: Visitor): Promise<{ readonly secret: string; readonly codes: string[] }> {
  const { page } = visitor
  await page.getByRole('button', { name: 'Set up app' }).click()
  await prove(visitor)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = await dialog.locator('.totp-secret').innerText()
  await dialog.getByLabel('Code', { exact: true }).fill(await codeBefore(secret))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  return { secret, codes: await list.getByRole('listitem').allInnerTexts() }
}

/** Waits for the part of the account that is about second factors. */
const security = ({ page }: Visitor) => page.getByRole('tab', { name: 'Security', selected: true }).waitFor()

const keep = ({ page }: Visitor) => page.getByRole('button', { name: 'I have kept them' }).click()

/** Declares the stories of second factors: apps, passkeys, recovery codes, and organisations that require a factor. */
export function factorStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const userOf = async (email: string, tenant = 'default') =>
    (await findUser(stage.service.database.queries, tenant, email))!

  inGate(
    'an app is set up with a code, the codes to keep are shown once, and the next sign-in asks for the app',
    async () => {
      await stage.person('app@x', 'Ann App', 'reader')
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn('app@x', PASSWORD, SECURITY)
      await security(visitor)
      await page.getByText('No app is set up.').waitFor()
      await page.getByRole('button', { name: 'Set up app' }).click()
      await prove(visitor)
      await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill('000000')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('alert').filter({ hasText: 'Wrong code' }).waitFor()
      await visitor.assertSound('a wrong code in the set-up')
      await page.getByRole('button', { name: 'Cancel' }).click()
      const { secret, codes } = await setUpApp(visitor)
      assert.equal(codes.length, 10)
      await visitor.assertSound('the recovery codes')
      await keep(visitor)
      await page.getByRole('status').filter({ hasText: 'The authenticator app is set up.' }).waitFor()
      await page.getByText('10 codes are left.').waitFor()

      await visitor.signOut()
      await visitor.goTo(`/console/sign-in?return_to=${SECURITY}`)
      await visitor.fillSignIn('app@x', PASSWORD)
      const code = page.getByLabel('Code', { exact: true })
      await code.waitFor()
      assert.equal(await page.evaluate('document.activeElement.name'), 'code')
      await visitor.assertSound('the second step')
      await page.locator('form button[type=submit]').click()
      await page.getByText('Please fill in this field.').waitFor()
      await code.fill('000000')
      await page.locator('form button[type=submit]').click()
      await page.getByRole('alert').filter({ hasText: 'Wrong code' }).waitFor()
      await code.fill(codeOf(secret))
      await page.locator('form button[type=submit]').click()
      await security(visitor)

      await visitor.signOut()
      await visitor.fillSignIn('app@x', PASSWORD)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(codes[0].toUpperCase())
      await page.locator('form button[type=submit]').click()
      await page.locator('.account').waitFor()
      await visitor.goTo(SECURITY)
      await page.getByText('9 codes are left.').waitFor()
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    },
  )

  inGate(
    'a passkey is added and renamed, is a second factor, signs in alone, and is removed with the password',
    async () => {
      await stage.person('key@x', 'Kim Key', 'reader')
      const visitor = await stage.visitAlone()
      const { page } = visitor
      await withDevice(visitor)
      await visitor.signIn('key@x', PASSWORD, SECURITY)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await prove(visitor)
      await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
      await page.getByRole('button', { name: 'Create passkey' }).click()
      await keep(visitor)
      await page.getByRole('button', { name: 'Rename Phone' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Old phone')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('rowheader', { name: 'Old phone' }).waitFor()
      await visitor.assertSound('security with a passkey')

      await visitor.signOut()
      await visitor.fillSignIn('key@x', PASSWORD)
      await page.getByText('Your browser asks for your passkey.').waitFor()
      await visitor.assertSound('the second step with a passkey')
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.locator('.account').waitFor()

      await visitor.signOut()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.locator('.account').filter({ hasText: 'Kim Key' }).waitFor()

      await visitor.goTo(SECURITY)
      await page.getByRole('button', { name: 'Remove Old phone' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password').fill('not the password')
      await visitor.assertSound('the question who removes a passkey')
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('You have no passkey.').waitFor()
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    },
  )

  inRest(
    'a person who needs a factor and has none sets one up first, then sees the wanted page, in both languages',
    async () => {
      await changeTenant(stage.service.database, 'second', { settings: { requireSecondFactor: 'on' } })
      for (const [i, look] of LOOKS.entries()) {
        const email = `strict-${i}@x`
        await stage.person(email, 'Stan Strict', 'admin', 'second')
        const visitor = await stage.visitAlone(look)
        const { page } = visitor
        await withDevice(visitor)
        await visitor.goTo(`/console/sign-in?return_to=${KEYS}`)
        await visitor.fillSignIn(email, PASSWORD)
        await page.waitForURL((url) => url.pathname === '/console/set-up-factor')
        await page.locator('.section').first().waitFor()
        await visitor.assertSound(`the page to set a factor up, ${look.locale}`)
        // Nothing else opens meanwhile.
        await visitor.goTo(SECURITY)
        await page.waitForURL((url) => url.pathname === '/console/set-up-factor')
        await visitor.goTo(`/console/set-up-factor?return_to=${KEYS}`)
        const isGerman = look.locale.startsWith('de')
        await page.getByRole('button', { name: isGerman ? 'Passkey hinzufügen' : 'Add passkey' }).click()
        await visitor.assertSound(`the question who adds a passkey, ${look.locale}`)
        await prove(visitor, isGerman)
        await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
        await visitor.assertSound(`the name of a passkey, ${look.locale}`)
        await page.getByRole('button', { name: isGerman ? 'Passkey anlegen' : 'Create passkey' }).click()
        const confirmButton = page.getByRole('button', {
          name: isGerman ? 'Ich habe sie aufbewahrt' : 'I have kept them',
        })
        await confirmButton.waitFor()
        await visitor.assertSound(`the recovery codes, ${look.locale}`)
        await confirmButton.click()
        await page.waitForURL(`${stage.base}${KEYS}`)
        await visitor.goTo(SECURITY)
        await page.getByRole('table').waitFor()
        await visitor.assertSound(`security, ${look.locale}`)
        await page.getByRole('button', { name: isGerman ? 'App einrichten' : 'Set up app' }).click()
        await prove(visitor, isGerman)
        await page.getByRole('img').waitFor()
        await visitor.assertSound(`the QR code, ${look.locale}`)
        await visitor.close()
      }
    },
  )

  inRest('a session that runs when the organisation begins to require a factor is led to set one up', async () => {
    await stage.service.tenant('later')
    await stage.person('running@x', 'Ron Running', 'admin', 'later')
    const visitor = await stage.visit()
    await visitor.signIn('running@x', PASSWORD, KEYS)
    await visitor.heading('API keys')
    await changeTenant(stage.service.database, 'later', { settings: { requireSecondFactor: 'on' } })
    await visitor.page.getByRole('button', { name: 'Issue key' }).click()
    await visitor.heading('Set up a second factor')
    await setUpApp(visitor)
    await keep(visitor)
    await visitor.heading('API keys')
    await visitor.close()
  })

  inRest('after a reset the person is told before anything else', async () => {
    await stage.person('reset@x', 'Rae Reset', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('reset@x', PASSWORD, SECURITY)
    await setUpApp(visitor)
    await keep(visitor)
    const { id: userId } = await userOf('reset@x')
    await stage.service.database.write((tx) => resetFactors(tx, { tenantId: 'default', userId }, OPERATOR), 'default')
    await visitor.goTo(SECURITY)
    await visitor.heading('Sign in')
    await visitor.fillSignIn('reset@x', PASSWORD)
    await page.getByRole('alert').filter({ hasText: 'Your second factors were reset' }).waitFor()
    await visitor.assertSound('the news of a reset')
    await page.getByRole('button', { name: 'Continue' }).click()
    await security(visitor)
    await page.getByText('No app is set up.').waitFor()
    await visitor.close()
  })

  inRest('consent waits until a person who needs a factor has set one up', async () => {
    await stage.person('unready@x', 'Uma Unready', 'editor')
    const application = await stage.connect('Patient assistant')
    const visitor = await stage.visit()
    const { page } = visitor
    await changeTenant(stage.service.database, 'default', { settings: { requireSecondFactor: 'on' } })
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.fillSignIn('unready@x', PASSWORD)
    await visitor.heading('Set up a second factor')
    // The application's page takes an unfinished session for none.
    await visitor.goTo(new URL(page.url()).searchParams.get('return_to')!)
    await page.locator('[name=password]').waitFor()
    await visitor.fillSignIn('unready@x', PASSWORD)
    await visitor.heading('Set up a second factor')
    await setUpApp(visitor)
    await keep(visitor)
    await page.getByRole('button', { name: 'Continue as Uma Unready' }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await changeTenant(stage.service.database, 'default', { settings: { requireSecondFactor: 'off' } })
    await visitor.close()
  })

  inRest('a person from the outside provider has a second step where the organisation says all', async () => {
    await stage.person('company@x', 'Cora Company', 'reader')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('company@x', PASSWORD, SECURITY)
    const { secret } = await setUpApp(visitor)
    await keep(visitor)
    const comeBack = async () => {
      await page.context().clearCookies()
      await visitor.goTo(`/console/sign-in?return_to=${SECURITY}`)
      await page.getByRole('link', { name: 'Continue with Company login' }).click()
    }
    stage.outside.subject = 'cora'
    stage.outside.accounts.set('cora', { email: 'company@x', email_verified: true })
    await comeBack()
    // The first sign-in proves once that the account here belongs to the same person.
    await page.getByText('From then on your company account will do.').waitFor()
    await visitor.fillSignIn('company@x', PASSWORD)
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret))
    await page.locator('form button[type=submit]').click()
    await security(visitor)
    await comeBack()
    await security(visitor)
    await changeTenant(stage.service.database, 'default', { settings: { requireSecondFactor: 'all' } })
    await comeBack()
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
    await page.locator('form button[type=submit]').click()
    await security(visitor)
    await changeTenant(stage.service.database, 'default', { settings: { requireSecondFactor: 'off' } })
    await visitor.close()
  })

  inRest('before consent the second step comes first', async () => {
    await stage.person('consenting@x', 'Con Senting', 'editor')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('consenting@x', PASSWORD, SECURITY)
    const { secret } = await setUpApp(visitor)
    await keep(visitor)
    await visitor.signOut()
    const application = await stage.connect('Careful assistant')
    await visitor.goTo(application.authorizeUrl('knowledge:read'))
    await visitor.fillSignIn('consenting@x', PASSWORD)
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret))
    await page.locator('form button[type=submit]').click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await visitor.close()
  })
}
