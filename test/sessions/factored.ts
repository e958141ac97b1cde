import assert from 'node:assert/strict'
import { createUser } from '../../src/identity/users/rules.ts'
import { codeBefore } from '../support/authenticator-app.ts'
import { givePassword } from '../support/passwords.ts'
import type { Answer, TestService } from '../support/service.ts'
import { Authenticator } from './authenticator.ts'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery'
export const FACTORS = '/api/session/factors'

/** A person with a browser, who signs in at the service's public address. */
export class Factored {
  readonly service: TestService
  readonly browser: Browser
  readonly device: Authenticator
  readonly userId: string
  readonly email: string
  secret = ''
  recoveryCodes: string[] = []

  private constructor(service: TestService, userId: string, email: string) {
    this.service = service
    this.userId = userId
    this.email = email
    const base = service.service.publicUrl
    this.browser = new Browser(service, base)
    this.device = new Authenticator(base)
  }

  /** Makes a user with a password, who is signed in. */
  static async join(
    service: TestService,
    email: string,
    { role = 'editor', tenant = 'default' } = {},
  ): Promise<Factored> {
    const { id } = await createUser(service.database, tenant, { email, name: 'Somebody', role })
    await givePassword(service.database, tenant, id, PASSWORD)
    const person = new Factored(service, id, email)
    assert.equal((await person.browser.signIn(email, PASSWORD)).status, 200)
    return person
  }

  /** Makes a user with an authenticator app, who is signed in with it. */
  static async withApp(...all: Parameters<typeof Factored.join>): Promise<Factored> {
    const person = await Factored.join(...all)
    await person.addApp()
    return person
  }

  /** Returns another browser of the same person. */
  elsewhere(): Browser {
    return new Browser(this.service, this.service.service.publicUrl)
  }

  /** Sets up the app with the code of the step before, so that the present one is still good. */
  async addApp(proof: object = { password: PASSWORD }): Promise<void> {
    const begun = await this.browser.call('POST', `${FACTORS}/totp`, proof)
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    this.secret = begun.body.secret
    const code = await codeBefore(this.secret)
    const confirmed = await this.browser.call('POST', `${FACTORS}/totp/confirm`, { code })
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
    if (confirmed.body.recovery_codes.length > 0) this.recoveryCodes = confirmed.body.recovery_codes
  }

  /** Registers a passkey. @returns its id */
  async addPasskey(name = 'Phone', proof: object = { password: PASSWORD }): Promise<string> {
    const begun = await this.browser.call('POST', `${FACTORS}/passkey-options`, proof)
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    const passkey = this.device.create(begun.body.options)
    const added = await this.browser.call('POST', `${FACTORS}/passkeys`, { name, passkey })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    if (added.body.recovery_codes.length > 0) this.recoveryCodes = added.body.recovery_codes
    return added.body.passkey.id
  }

  async factors(): Promise<Answer['body']> {
    return (await this.browser.call('GET', FACTORS)).body
  }

  /** Signs in with the password, up to the second step. */
  async begin(browser = this.elsewhere()): Promise<Browser> {
    const answer = await browser.signIn(this.email, PASSWORD)
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return browser
  }
}

/** Proves the second step. */
export function finish(browser: Browser, proof: object): Promise<Answer> {
  return browser.call('POST', '/api/session/second-factor', proof)
}

/** Returns a fault as status, place and type. */
export function said({ status, body }: Answer): string {
  return `${status} ${body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`).join()}`
}
