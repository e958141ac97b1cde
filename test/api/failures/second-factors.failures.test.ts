import { changeTenant } from '../../../src/identity/tenants/rules.ts'
import { lockUser } from '../../../src/identity/sessions/store.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Tx } from '../../../src/platform/database/database.ts'
import { codeOf } from '../../support/authenticator-app.ts'
import type { Answer } from '../../support/service.ts'
import { serviceWaits } from '../../support/waiting-writes.ts'
import { Factored, FACTORS, PASSWORD } from '../../sessions/factored.ts'
import { type Ask, failures, type FailureRows, noSuch } from './table.ts'

/** Passkeys of a person at most. */
const PASSKEYS_MAX = 20

interface Seed {
  /** Has a password and no factor. */
  readonly plain: Factored
  /** The same, and sets up an app. */
  readonly beginner: Factored
  /** Has a passkey, and proved it in this session. */
  readonly proved: Factored
  /** Has as many passkeys as a person may have, and one more that waits to be registered. */
  readonly collector: Factored
  readonly surplus: object
  /** Has a passkey alone, in a tenant that demands a factor. */
  readonly obliged: Factored
  readonly obligedPasskey: string
  /** Has an app alone, in that tenant. */
  readonly bound: Factored
  readonly passkey_id: string
}

const as = ({ browser, service: { service } }: Factored): Ask => ({
  key: null,
  base: service.publicUrl,
  headers: {
    origin: service.publicUrl,
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  },
})

const NO_PROOF: FailureRows<Seed> = {
  '403 proof_needed at body': { 'no proof of who acts': ({ proved }) => ({ ...as(proved), body: {} }) },
}
const WRONG_PROOF: FailureRows<Seed> = {
  '422 proof_wrong at body.password': { 'a wrong password': { body: { password: 'a wrong password' } } },
  '422 value_error at body': { 'two proofs': { body: { password: PASSWORD, code: '123456' } } },
}

/** Begins to set up an app. */
async function secretOf({ browser }: Factored): Promise<string> {
  return (await browser.call('POST', `${FACTORS}/totp`, { password: PASSWORD })).body.secret as string
}

/** Changes something of a person after the request has read it and before it writes. */
const meanwhile =
  ({ service: { database, service, tenantId }, userId }: Factored, change: (tx: Tx) => Promise<unknown>) =>
  async (send: () => Promise<Answer>): Promise<Answer> => {
    let answer!: Promise<Answer>
    await database.write(async (tx) => {
      await lockUser(tx, tenantId, userId)
      answer = send()
      await serviceWaits(database, service.url)
      await change(tx)
    }, tenantId)
    return answer
  }

failures<Seed>('Second factors', {
  isChanging: true,
  seed: async (service) => {
    const { database, tenantId: tenant } = service
    const strict = await service.tenant('strict')
    const join = (name: string) => Factored.join(service, `${name}@factors.example`, { tenant })
    const [plain, beginner] = [await join('plain'), await join('beginner')]
    const [proved, collector] = [await join('proved'), await join('collector')]
    const passkey_id = await proved.addPasskey()
    await collector.addPasskey()
    const begun = await collector.browser.call('POST', `${FACTORS}/passkey-options`, { password: PASSWORD })
    const passkeys = Array.from({ length: PASSKEYS_MAX }, (_, i) => ({
      tenant_id: tenant,
      user_id: collector.userId,
      id: newId(),
      credential_id: `collected-${i}`,
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: '',
      name: `Passkey ${i}`,
      created_at: 1,
      last_used_at: null,
    }))
    await database.queries.insertInto('passkeys').values(passkeys).execute()
    const obliged = await Factored.join(service, 'obliged@strict.example', { tenant: strict })
    const obligedPasskey = await obliged.addPasskey()
    const bound = await Factored.join(service, 'bound@strict.example', { tenant: strict })
    await bound.browser.call('POST', `${FACTORS}/totp/confirm`, { code: codeOf(await secretOf(bound)) })
    await changeTenant(database, strict, { settings: { requireSecondFactor: 'on' } })
    const surplus = collector.device.create(begun.body.options)
    return { plain, beginner, proved, collector, surplus, obliged, obligedPasskey, bound, passkey_id }
  },
  table: {
    'beginTotp POST /api/session/factors/totp': {
      asks: ({ plain }) => as(plain),
      fails: WRONG_PROOF,
    },
    'confirmTotp POST /api/session/factors/totp/confirm': {
      asks: ({ beginner }) => ({ ...as(beginner), body: { code: '000000' } }),
      fails: {
        '422 not_begun at body.code': { 'a code that nothing waits for': {} },
        '422 code_wrong at body.code': {
          'a wrong code': async ({ beginner }) => {
            await secretOf(beginner)
            return {}
          },
        },
        '409 conflict at body.code': {
          'an app that was begun anew meanwhile': async ({ beginner }) => {
            const code = codeOf(await secretOf(beginner))
            const another = (tx: Tx) =>
              tx
                .updateTable('user_totp')
                .set({ pending_sealed: 'another' })
                .where('user_id', '=', beginner.userId)
                .execute()
            return { body: { code }, by: meanwhile(beginner, another) }
          },
        },
      },
    },
    'removeTotp POST /api/session/factors/totp/remove': {
      asks: ({ plain }) => ({ ...as(plain), body: { password: PASSWORD } }),
      fails: {
        ...NO_PROOF,
        ...WRONG_PROOF,
        '404 not_found at path': { 'an app that the person has not': {} },
        '409 conflict at path': {
          'the last factor where one is demanded': ({ bound }) => as(bound),
        },
      },
    },
    'renewRecoveryCodes POST /api/session/factors/recovery-codes': {
      asks: ({ plain }) => ({ ...as(plain), body: { password: PASSWORD } }),
      fails: { ...NO_PROOF, ...WRONG_PROOF, '409 conflict at path': { 'a person without a factor': {} } },
    },
    'beginPasskey POST /api/session/factors/passkey-options': {
      asks: ({ plain }) => as(plain),
      fails: {
        ...WRONG_PROOF,
        '409 conflict at path': {
          'as many passkeys as a person may have': ({ collector }) => ({ ...as(collector), body: {} }),
        },
      },
    },
    'addPasskey POST /api/session/factors/passkeys': {
      asks: ({ plain }) => ({ ...as(plain), body: { name: 'Phone', passkey: {} } }),
      fails: {
        '422 passkey_refused at body.passkey': { 'no passkey that was asked for': {} },
        '409 conflict at path': {
          'as many passkeys as a person may have': ({ collector, surplus }) => ({
            ...as(collector),
            body: { name: 'One more', passkey: surplus },
          }),
        },
      },
    },
    'renamePasskey PATCH /api/session/factors/passkeys/{passkey_id}': {
      asks: ({ proved }) => ({ ...as(proved), body: { name: 'Another' } }),
      fails: {
        ...noSuch('passkey_id'),
        '409 conflict at header.cookie': {
          'a session that became weaker meanwhile': ({ proved }) => {
            const weaken = (tx: Tx) =>
              tx.updateTable('sessions').set({ strength: 'password' }).where('user_id', '=', proved.userId).execute()
            return { by: meanwhile(proved, weaken) }
          },
        },
      },
    },
    'removePasskey POST /api/session/factors/passkeys/{passkey_id}/remove': {
      asks: ({ obliged }) => ({ ...as(obliged), body: { password: PASSWORD } }),
      fails: {
        ...noSuch('passkey_id'),
        '403 proof_needed at body': { 'no proof of who acts': { body: {} } },
        '409 conflict at path': {
          'the last factor where one is demanded': ({ obligedPasskey }) => ({ path: { passkey_id: obligedPasskey } }),
        },
      },
    },
  },
})
