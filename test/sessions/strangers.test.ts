import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createUser } from '../../src/identity/users/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Browser } from './browser.ts'

const PASSWORD = 'correct horse battery'
const HOME = '198.51.100.7'

onAnyDatabase('an account that strangers guess at', (kind) => {
  let service: TestService
  let addresses = 0
  before(async () => {
    service = await TestService.start(kind, { TRUST_PROXY: 'true' })
  })
  after(() => service.stop())

  const newAddress = () => `203.0.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
  const signIn = async (browser: Browser, email: string, password: string, address = newAddress()) =>
    browser.call('POST', '/api/session', { email, password }, { 'x-forwarded-for': address })
  const owner = async (email: string) => {
    const { id } = await createUser(service.database, 'default', { email, name: email, role: 'admin' })
    await givePassword(service.database, 'default', id, PASSWORD)
    return id
  }
  /** Guesses from a new address each time until the account refuses strangers. @returns the number of guesses */
  const guess = async (email: string): Promise<number> => {
    for (let count = 0; ; count++) {
      const { status } = await signIn(new Browser(service), email, `guess number ${count}`)
      if (status === 429) return count
      assert.equal(status, 401)
    }
  }

  test('refuses them all after a hundred guesses, the right one too, and lets in its owner at home', async () => {
    await owner('ann@x')
    const laptop = new Browser(service)
    assert.equal((await signIn(laptop, 'ann@x', PASSWORD)).status, 200)
    await laptop.call('DELETE', '/api/session')
    const phone = new Browser(service)
    assert.equal((await signIn(phone, 'ann@x', PASSWORD, HOME)).status, 200)
    assert.equal(await guess('ann@x'), 100)
    const stranger = await signIn(new Browser(service), 'ann@x', PASSWORD)
    assert.deepEqual([stranger.status, Number(stranger.headers.get('retry-after')) > 60], [429, true])
    assert.equal((await signIn(laptop, 'ann@x', PASSWORD)).status, 200, 'a browser of hers, at a new address')
    assert.equal((await signIn(new Browser(service), 'ann@x', PASSWORD, HOME)).status, 200, 'a new browser at home')
  })

  test('is answered like one that does not exist', async () => {
    assert.equal(await guess('nobody@x'), 100)
  })

  test('lets its owner in again by a link for a new password', async () => {
    const id = await owner('bob@x')
    await guess('bob@x')
    const browser = new Browser(service)
    const refused = await signIn(browser, 'bob@x', PASSWORD)
    assert.equal(refused.status, 429)
    const { body } = await service.call('POST', `/api/knowledge/users/${id}/password-reset`)
    const password = 'another horse battery'
    const reset = { token: body.link.split('#')[1], password }
    assert.equal((await browser.call('POST', '/api/session/new-password', reset)).status, 204)
    assert.equal((await signIn(browser, 'bob@x', password)).status, 200)
  })

  test('is not guessed at with a stolen session from many addresses, and its owner still signs in', async () => {
    await owner('robbed@x')
    const stolen = new Browser(service)
    assert.equal((await signIn(stolen, 'robbed@x', PASSWORD, HOME)).status, 200)
    const key = { name: 'K', scopes: ['tenant:admin'] }
    const prove = async (password: string) => {
      const body = { ...key, confirmation: { password } }
      const from = { 'x-forwarded-for': newAddress() }
      return (await stolen.call('POST', '/api/knowledge/api-keys', body, from)).status
    }
    assert.equal(await prove(PASSWORD), 201, 'a right proof does not count')
    const answers: number[] = []
    for (let count = 0; count < 20; count++) answers.push(await prove(`guess number ${count}`))
    assert.deepEqual(answers, [...Array<number>(10).fill(422), ...Array<number>(10).fill(429)])
    assert.equal(await prove(PASSWORD), 429, 'the right one too')
    const change = { old_password: PASSWORD, new_password: 'another horse battery' }
    const from = { 'x-forwarded-for': newAddress() }
    assert.equal((await stolen.call('PUT', '/api/session/password', change, from)).status, 429, 'one bound for both')
    assert.equal((await signIn(new Browser(service), 'robbed@x', PASSWORD, HOME)).status, 200)
    assert.equal((await signIn(new Browser(service), 'robbed@x', PASSWORD)).status, 200)
  })

  test('is guessed at no faster with the cookie of another account', async () => {
    await owner('eve@x')
    await owner('guessed@x')
    const own = new Browser(service)
    assert.equal((await signIn(own, 'eve@x', PASSWORD)).status, 200)
    await guess('guessed@x')
    assert.equal((await signIn(own, 'guessed@x', 'guess number 101')).status, 429)
  })
})
