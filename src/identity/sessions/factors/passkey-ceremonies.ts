import { createHash } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Database } from '../../../platform/database/database.ts'
import type { PasskeyChallengeRow, PasskeyRow, UserRow } from '../../../platform/database/tables.ts'
import { realmOf } from '../../tenants/realm.ts'
import type { Holder } from './factor-store.ts'
import * as steps from './step-store.ts'

/** EdDSA, ES256 and RS256, which all authenticators support. Node warns when the library asks for newer ones. */
const ALGORITHMS = [-8, -7, -257]
/** Time in which a challenge is answered: long enough to find a security key and touch it. */
const CHALLENGE_MS = 300_000

/** Key of a stored challenge, by which an answer finds it. */
export interface Place {
  /** Tenant of the person; `*` at a sign-in by passkey at the shared address, before the person is identified. */
  readonly tenantId: string
  readonly purpose: 'registration' | 'confirmation' | 'second step' | 'sign-in'
  /** Hash of the cookie, or id of the session, that the answer must come with. */
  readonly boundTo: string
}

/** Parts of a new passkey that come from the browser. */
export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/** Options for a browser, as JSON. */
export type BrowserOptions = Readonly<Record<string, unknown>>

/** Answer of a browser before it is checked. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

export interface CeremonyOptions {
  readonly database: Database
  readonly publicUrl: () => string
  readonly now: () => number
}

/**
 * Runs the ceremonies of WebAuthn (level 3, section 7): it asks a browser to sign a challenge, and checks the answer.
 * Passkeys are bound to the host that a request came to. A challenge takes one answer, whether that is right or not.
 */
export class PasskeyCeremonies {
  readonly #options: CeremonyOptions

  constructor(options: CeremonyOptions) {
    this.#options = options
  }

  /**
   * Returns a browser's options to make a passkey.
   * @param passkeys the person's passkeys; an authenticator that has one of them makes no second one
   */
  async registration(
    host: string,
    place: Place,
    user: UserRow,
    passkeys: readonly PasskeyRow[],
  ): Promise<BrowserOptions> {
    const [{ generateRegistrationOptions }, party] = await Promise.all([load(), this.party(host)])
    const options = await generateRegistrationOptions({
      rpName: party.id,
      rpID: party.id,
      userName: user.email,
      userDisplayName: user.name,
      userID: new Uint8Array(handleOf({ tenantId: user.tenant_id, userId: user.id })),
      attestationType: 'none',
      excludeCredentials: passkeys.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
      timeout: CHALLENGE_MS,
    })
    await this.#keep(place, options.challenge)
    return { ...options }
  }

  /**
   * Takes the challenge and checks that a new passkey signed it.
   * @returns the new passkey; null when the answer does not hold
   */
  async checkRegistration(host: string, place: Place, answer: PasskeyAnswer): Promise<NewPasskey | null> {
    const [{ verifyRegistrationResponse }, party] = await Promise.all([load(), this.party(host)])
    const expectedChallenge = await this.#take(place)
    if (expectedChallenge === null) return null
    const response = answer as unknown as RegistrationResponseJSON
    const expected = { expectedChallenge, expectedOrigin: party.origin, expectedRPID: party.id }
    // The library throws for every fault, also for an answer of another shape, so the cast above is safe.
    const verification = await verifyRegistrationResponse({
      ...expected,
      response,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => null)
    if (verification?.verified !== true) return null
    const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).join(' '),
    }
  }

  /** Returns a browser's options to use a passkey. @param allowed null for any passkey that it has for this host */
  async assertion(host: string, place: Place, allowed: readonly PasskeyRow[] | null): Promise<BrowserOptions> {
    const [{ generateAuthenticationOptions }, party] = await Promise.all([load(), this.party(host)])
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      ...(allowed === null ? {} : { allowCredentials: allowed.map(descriptorOf) }),
      userVerification: allowed === null ? 'required' : 'preferred',
      timeout: CHALLENGE_MS,
    })
    await this.#keep(place, options.challenge)
    return { ...options }
  }

  /**
   * Takes the challenge and checks that one of the candidates signed it.
   * @param isAlone whether the passkey is the person's only proof, so that it must have verified the person
   * @returns the passkey and the authenticator's new count of uses, which the caller stores; null when the answer does
   *   not hold
   */
  async checkAssertion(
    host: string,
    place: Place,
    answer: PasskeyAnswer,
    candidates: readonly PasskeyRow[],
    isAlone: boolean,
  ): Promise<{ readonly passkey: PasskeyRow; readonly counter: number } | null> {
    const [{ verifyAuthenticationResponse }, party] = await Promise.all([load(), this.party(host)])
    const expectedChallenge = await this.#take(place)
    const passkey = candidates.find(
      (each) =>
        each.credential_id === answer.id &&
        (!isAlone || userHandleOf(answer) === handleOf(holderOf(each)).toString('base64url')),
    )
    if (expectedChallenge === null || passkey === undefined) return null
    const verification = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { ...descriptorOf(passkey), publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
      requireUserVerification: isAlone,
    }).catch(() => null)
    return verification?.verified === true ? { passkey, counter: verification.authenticationInfo.newCounter } : null
  }

  /** Returns the relying party at a host: the name that passkeys are bound to, and the origin of its pages. */
  async party(host: string): Promise<{ readonly id: string; readonly origin: string }> {
    const { database, publicUrl } = this.#options
    const { issuer } = await realmOf(database.queries, host, publicUrl())
    return { id: new URL(issuer).hostname, origin: new URL(issuer).origin }
  }

  async #keep(place: Place, challenge: string): Promise<void> {
    const row = { ...keyOf(place), challenge, expires_at: this.#options.now() + CHALLENGE_MS }
    await this.#options.database.write((tx) => steps.putChallenge(tx, row), place.tenantId)
  }

  #take(place: Place): Promise<string | null> {
    const { database, now } = this.#options
    return database.write((tx) => steps.takeChallenge(tx, keyOf(place), now()), place.tenantId)
  }
}

/** Loads the library on its first use: most installations, and every command, have no use for it. */
function load() {
  return import('@simplewebauthn/server')
}

function keyOf({ tenantId, purpose, boundTo }: Place): Pick<PasskeyChallengeRow, 'tenant_id' | 'purpose' | 'bound_to'> {
  return { tenant_id: tenantId, purpose, bound_to: boundTo }
}

function holderOf({ tenant_id: tenantId, user_id: userId }: PasskeyRow): Holder {
  return { tenantId, userId }
}

/** Returns the name by which authenticators keep a user: the same for all passkeys of the user, without meaning. */
function handleOf({ tenantId, userId }: Holder): Buffer {
  return createHash('sha256').update(`${tenantId} ${userId}`).digest()
}

function userHandleOf({ response }: PasskeyAnswer): unknown {
  return (response as { readonly userHandle?: unknown } | null | undefined)?.userHandle
}

/** Describes a passkey to the library. The cast holds because `checkRegistration` stored what a browser reported. */
function descriptorOf({ credential_id: id, transports }: PasskeyRow) {
  const list = transports === '' ? [] : (transports.split(' ') as AuthenticatorTransport[])
  return { id, transports: list }
}
