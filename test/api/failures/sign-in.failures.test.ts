import { suspendTenant } from '../../../src/identity/operators/tenant-life.ts'
import { createUser } from '../../../src/identity/users/rules.ts'
import { OPERATOR } from '../../../src/platform/audit/audit.ts'
import { givePassword } from '../../support/passwords.ts'
import { type Answer, TestService } from '../../support/service.ts'
import { Factored, PASSWORD } from '../../sessions/factored.ts'
import { type Ask, failures, type FailureRows, untilRefused } from './table.ts'

interface Seed {
  readonly service: TestService
  /** The cookie of a sign-in that waits for a second factor. */
  readonly waiting: string
  /** Part behind the # of an invitation whose address has a user by now. */
  readonly invited: string
}

/** A request of a page of the service, where people reach it. */
const fromPage =
  (body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ service: { service } }: Seed): Ask => ({
    key: null,
    base: service.publicUrl,
    body,
    headers: { origin: service.publicUrl, ...headers },
  })

const FOREIGN: FailureRows<Seed> = {
  '403 forbidden at header.origin': {
    'a page of another origin': { headers: { origin: 'https://evil.example' } },
  },
}
const NOTHING_WAITS: FailureRows<Seed> = {
  '401 sign_in_again at header.cookie': { 'a browser in which no sign-in waits': {} },
}
const NO_LINK: FailureRows<Seed> = {
  '404 not_found at body.token': { 'a link that there never was': {} },
}
/** @param address that tries, so that the other rows are not refused with it */
const tooMany = (address: string): FailureRows<Seed> => ({
  '429 rate_limited': {
    'too many tries of one address': { headers: { 'x-forwarded-for': address }, by: untilRefused },
  },
})

const wrong = { email: 'ann@sign-in.example', password: 'a wrong password' }
const person = (name: string) => ({ email: `${name}@sign-in.example`, password: PASSWORD })

failures<Seed>('Sign-in', {
  start: (kind) => TestService.start(kind, { TRUST_PROXY: 'true' }),
  isChanging: true,
  seed: async (service) => {
    const { database } = service
    const join = async (tenant: string, name: string) => {
      const { email } = person(name)
      const { id } = await createUser(database, tenant, { email, name, role: 'reader' })
      await givePassword(database, tenant, id, PASSWORD)
    }
    for (const tenant of ['quiet', 'one', 'two']) await service.tenant(tenant)
    await join('quiet', 'quiet')
    await suspendTenant(database, 'quiet', OPERATOR)
    for (const tenant of ['one', 'two']) await join(tenant, 'both')
    const ann = await Factored.join(service, wrong.email)
    await ann.addPasskey()
    const browser = await ann.begin()
    const invitation = { email: person('guest').email, role: 'reader' }
    const { body } = await service.call('POST', '/api/knowledge/invitations', { body: invitation })
    await join('default', 'guest')
    return {
      service,
      waiting: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      invited: new URL(body.link as string).hash.slice(1),
    }
  },
  table: {
    'signIn POST /api/session': {
      asks: fromPage(wrong),
      fails: {
        ...FOREIGN,
        '401 unauthorized at body': { 'a wrong password': {} },
        '403 tenant_suspended at body': {
          'the right password, in a tenant that is suspended': { body: person('quiet') },
        },
        '422 tenant_needed at body.tenant': { 'a password that is right in two tenants': { body: person('both') } },
        ...tooMany('198.51.100.1'),
      },
    },
    'signOut DELETE /api/session': { asks: fromPage(), fails: FOREIGN },
    'getSecondStep GET /api/session/second-factor': { asks: fromPage(), fails: NOTHING_WAITS },
    'finishSignIn POST /api/session/second-factor': {
      asks: fromPage({ code: '000000' }),
      fails: {
        ...FOREIGN,
        ...NOTHING_WAITS,
        '401 unauthorized at body.code': { 'a wrong code': ({ waiting }) => ({ headers: { cookie: waiting } }) },
        '422 value_error at body': { 'two proofs': { body: { code: '000000', recovery_code: 'x' } } },
        '429 rate_limited': {
          'many wrong codes': ({ service, waiting }) => ({
            headers: { cookie: waiting, 'x-forwarded-for': '198.51.100.2' },
            // Otherwise the sign-in would end before the address is refused.
            by: (send) =>
              untilRefused(send, () =>
                service.database.queries.updateTable('sign_in_steps').set({ failures: 0 }).execute(),
              ),
          }),
        },
      },
    },
    'beginPasskeyStep POST /api/session/second-factor/passkey-options': {
      asks: fromPage(),
      fails: { ...FOREIGN, ...NOTHING_WAITS },
    },
    'beginPasskeySignIn POST /api/session/passkey-options': {
      asks: fromPage(),
      fails: { ...FOREIGN, ...tooMany('198.51.100.3') },
    },
    'signInWithPasskey POST /api/session/passkey': {
      asks: fromPage({ passkey: {} }),
      fails: {
        ...FOREIGN,
        '401 unauthorized at body.passkey': { 'a passkey that is not known': {} },
        ...tooMany('198.51.100.4'),
      },
    },
    'showInvitation POST /api/session/invitation/show': {
      asks: fromPage({ token: 'unknown' }),
      fails: { ...FOREIGN, ...NO_LINK, ...tooMany('198.51.100.5') },
    },
    'acceptInvitation POST /api/session/invitation': {
      asks: fromPage({ token: 'unknown', name: 'Guest', password: PASSWORD }),
      fails: {
        ...FOREIGN,
        ...NO_LINK,
        '409 conflict at body.token': {
          'an address that has a user by now': ({ invited }) => ({
            body: { token: invited, name: 'Guest', password: PASSWORD },
          }),
        },
        '422 value_error at body.password': {
          'a short password': { body: { token: 'unknown', name: 'Guest', password: 'short' } },
        },
        ...tooMany('198.51.100.6'),
      },
    },
    'forgotPassword POST /api/session/forgotten-password': {
      asks: fromPage({ email: 'nobody@sign-in.example' }),
      fails: {
        ...FOREIGN,
        '409 conflict at body': { 'a service that sends no mail': {} },
        '429 rate_limited': {
          'too many tries of one address': async ({ service }) => {
            const mailing = await service.sibling({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@sign-in.example' })
            const by = async (send: () => Promise<Answer>): Promise<Answer> => {
              try {
                return await untilRefused(send)
              } finally {
                await mailing.stop()
              }
            }
            return { base: mailing.url, headers: { origin: mailing.url }, by }
          },
        },
      },
    },
    'showPasswordReset POST /api/session/new-password/show': {
      asks: fromPage({ token: 'unknown' }),
      fails: { ...FOREIGN, ...NO_LINK, ...tooMany('198.51.100.7') },
    },
    'setNewPassword POST /api/session/new-password': {
      asks: fromPage({ token: 'unknown', password: PASSWORD }),
      fails: {
        ...FOREIGN,
        ...NO_LINK,
        '422 value_error at body.password': { 'a short password': { body: { token: 'unknown', password: 'short' } } },
        ...tooMany('198.51.100.8'),
      },
    },
  },
})
