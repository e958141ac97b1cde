import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, KEYS, PASSWORD, type Stage } from './stage.ts'

/** How people sign in, and what stops them. */
export function signInStories(stage: Stage): void {
  test('a wrong password is reported, the right one leads to the wanted page, and signing out ends the session', async () => {
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
    await page.getByText('Signed in as').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.heading('Sign in')
    await visitor.goTo(KEYS)
    await visitor.heading('Sign in')
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('after signing in, a link’s return address on another host is ignored', async () => {
    const visitor = await stage.visit()
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      await visitor.signIn(ADMIN, PASSWORD, elsewhere)
      await visitor.page.waitForURL(`${stage.base}${KEYS}`)
      await visitor.page.context().clearCookies()
    }
    await visitor.close()
  })

  test('a person in two organisations is asked which one is meant', async () => {
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

  test('after too many attempts the page says how long to wait', async () => {
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

  test('when a session has ended elsewhere, the page leads to the sign-in and back', async () => {
    const visitor = await stage.visit()
    await visitor.signIn(ADMIN, PASSWORD, KEYS)
    await visitor.page.getByRole('table').waitFor()
    await visitor.page.context().clearCookies()
    await visitor.page.getByRole('button', { name: 'Issue key' }).click()
    await visitor.heading('Sign in')
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await visitor.heading('API keys')
    await visitor.close()
  })
}
