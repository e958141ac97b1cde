import { id, object, text } from './kinds.ts'
import type { Fields, Operation, World } from './operation.ts'

const proof: Fields = { code: text(1, 100), recovery_code: text(1, 100), passkey: object({}, { id: 'unknown' }) }
const confirmation: Fields = { password: text(1, 1_000), ...proof }
/** No browser is signed in, and none waits: everything that is well-formed is refused. */
const refusals = [401, 422, 429]
/** Without a session the gateway's headers are not read. */
const ofSession = { isPublic: true, refusals }

/** Returns the operations of second factors. */
export function factorOperations(world: World): Readonly<Record<string, Operation>> {
  const confirmed: Operation = { ...ofSession, body: confirmation, good: { password: 'not a password' } }
  const onePasskey = { path: { passkey_id: id(world.user) } }
  return {
    getSecondStep: ofSession,
    beginPasskeyStep: ofSession,
    finishSignIn: { ...ofSession, body: proof, good: { code: '123456' } },
    beginPasskeySignIn: ofSession,
    signInWithPasskey: {
      ...ofSession,
      body: { passkey: object({}, { id: 'unknown' }) },
      required: ['passkey'],
      good: { passkey: {} },
    },
    listFactors: ofSession,
    beginTotp: confirmed,
    confirmTotp: { ...ofSession, body: { code: text(1, 100) }, required: ['code'], good: { code: '123456' } },
    removeTotp: confirmed,
    renewRecoveryCodes: confirmed,
    beginPasskey: confirmed,
    addPasskey: {
      ...ofSession,
      body: { name: text(1, 100), passkey: object({}, { id: 'unknown' }) },
      required: ['name', 'passkey'],
      good: { name: 'A passkey', passkey: {} },
    },
    renamePasskey: {
      ...ofSession,
      ...onePasskey,
      body: { name: text(1, 100) },
      required: ['name'],
      good: { name: 'N' },
    },
    removePasskey: { ...confirmed, ...onePasskey },
    beginConfirmation: ofSession,
    resetFactors: {
      path: { user_id: id(world.user) },
      body: { confirmation: object({}, { password: 'for a signed-in person' }) },
      good: {},
    },
  }
}
