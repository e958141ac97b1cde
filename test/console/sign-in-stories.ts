import assert from 'node:assert/strict'
import { ADMIN, KEYS, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'

/** Declares the stories of signing in, and of failing to. */
export function signInStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  inGate(
    'a wrong password is reported, the right one leads to the wanted page, and signing out ends the session',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.goTo(`${KEYS}?from=mail`)
      await visitor.heading('Sign in')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      assert.equal(await page.evaluate('document.activeElement.name'), 'email')
      await visitor.fillSignIn(ADMIN, 'not the password')
      await page.getByRole('alert').filter({ hasText: 'Wrong email address or password' }).waitFor()
      await visitor.fillSignIn(ADMIN, PASSWORD)
      await page.waitForURL(`${stage.base}${KEYS}?from=mail`)
      await visitor.heading('API keys')
      await visitor.signOut()
      await visitor.heading('Sign in')
      await visitor.goTo(KEYS)
      await visitor.heading('Sign in')
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    },
  )

  inRest('after signing in, a link’s return address on another host is ignored', async () => {
    const visitor = await stage.visit()
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      await visitor.signIn(ADMIN, PASSWORD, elsewhere)
      await visitor.page.waitForURL(`${stage.base}/console`)
      await visitor.page.context().clearCookies()
    }
    await visitor.close()
  })

  inRest('a person in two organisations is asked which one is meant', async () => {
    const visitor = await stage.visit()
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

  inRest('after too many attempts the page says how long to wait', async () => {
    await stage.person('forgetful@x', 'Fay', 'reader')
    const visitor = await stage.visit()
    await visitor.goTo('/console/sign-in')
    const told = visitor.page.getByText(/You can try again in (\d+ min )?\d+ s\./)
    const button = visitor.page.locator('form button[type=submit]')
    const body = { email: 'forgetful@x', password: 'wrong' }
    const sent = { key: null, body, headers: { origin: stage.base } }
    for (let status = 401; status === 401;) {
      status = (await stage.service.call('POST', '/api/session', sent, stage.base)).status
    }
    await visitor.fillSignIn(body.email, body.password)
    await told.waitFor()
    assert.ok(await button.isDisabled())
    await visitor.assertSound('the sign-in that has to wait')
    await visitor.close()
  })

  inGate(
    'when a session ends in the middle of a form, the person signs in beside it, and what they typed is sent',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, KEYS)
      await page.getByRole('button', { name: 'Issue key' }).click()
      await page.getByLabel('Name').fill('Typed before the session ended')
      await page.context().clearCookies()
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
      const again = page.getByRole('dialog', { name: 'Sign in again' })
      await again.getByText('Nothing you typed is lost').waitFor()
      await visitor.assertSound('the question to sign in again')
      await visitor.fillSignIn(ADMIN, 'not the password')
      await again.getByRole('alert').filter({ hasText: 'Wrong email address or password' }).waitFor()
      await again.locator('[name=password]').fill(PASSWORD)
      await again.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('dialog', { name: 'Your new key' }).getByText('Typed before the session ended').waitFor()
      await visitor.close()
    },
  )

  inRest('another person who signs in there does not send what the first person typed', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('Name').fill('Never issued')
    await page.context().clearCookies()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await visitor.fillSignIn('reader@x', PASSWORD)
    await page.locator('.account').filter({ hasText: 'Rita Reader' }).waitFor()
    const { body } = await stage.service.call('GET', '/api/knowledge/api-keys')
    assert.ok(!body.some(({ name }: { name: string }) => name === 'Never issued'))
    await visitor.close()
  })

  inRest('a sign-in at the provider opens a tab of its own, and the page that waits goes on after it', () =>
    stage.withoutLinkProof(async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      stage.outside.subject = 'admin'
      stage.outside.accounts.set('admin', { email: ADMIN, email_verified: true })
      await visitor.signIn(ADMIN, PASSWORD, KEYS)
      await page.getByRole('table').waitFor()
      await page.context().clearCookies()
      await page.getByRole('button', { name: 'Issue key' }).click()
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Continue with Company login' }).click(),
      ])
      await tab.getByText('You can close this tab').waitFor()
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
      await page.getByRole('dialog', { name: 'Issue an API key' }).waitFor()
      await visitor.close()
    }),
  )
}
