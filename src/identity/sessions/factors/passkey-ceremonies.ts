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

/** EdDSA, ES256 and RS256, which all authenticators know. Node warns when the library asks for newer ones. */
const ALGORITHMS = [-8, -7, -257]
/** Long enough to find a key and touch it. */
const CHALLENGE_MS = 300_000

/** Which challenge an answer belongs to. */
export interface Place {
  /** `*` while nobody knows who signs in. */
  readonly tenantId: string
  readonly purpose: 'registration' | 'confirmation' | 'second step' | 'sign-in'
  /** Hash of the cookie, or id of the session, that the answer has to come with. */
  readonly boundTo: string
}

/** What the browser told of a new passkey. */
export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/** Options for a browser, as JSON. */
export type BrowserOptions = Readonly<Record<string, unknown>>

/** An answer of a browser, which nobody has checked yet. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

export interface CeremonyOptions {
  readonly database: Database
  readonly publicUrl: () => string
  readonly now: () => number
}

/**
 * The ceremonies of WebAuthn (level 3, section 7): what a browser is asked to sign, and whether it signed that. They
 * hold for the host that a request came to. Each challenge is answered once, whether the answer is right or not.
 */
export class PasskeyCeremonies {
  readonly #options: CeremonyOptions

  constructor(options: CeremonyOptions) {
    this.#options = options
  }

  /** What a browser needs to make a passkey. @param known the passkeys the person has, which it makes no second time */
  async registration(host: string, place: Place, user: UserRow, known: readonly PasskeyRow[]): Promise<BrowserOptions> {
    const [{ generateRegistrationOptions }, party] = await Promise.all([load(), this.party(host)])
    const options = await generateRegistrationOptions({
      rpName: party.id,
      rpID: party.id,
      userName: user.email,
      userDisplayName: user.name,
      userID: new Uint8Array(handleOf({ tenantId: user.tenant_id, userId: user.id })),
      attestationType: 'none',
      excludeCredentials: known.map(described),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
      timeout: CHALLENGE_MS,
    })
    await this.#keep(place, options.challenge)
    return { ...options }
  }

  /** @returns the new passkey; null when the answer is not what was asked for */
  async registered(host: string, place: Place, answer: PasskeyAnswer): Promise<NewPasskey | null> {
    const [{ verifyRegistrationResponse }, party] = await Promise.all([load(), this.party(host)])
    const expectedChallenge = await this.#take(place)
    if (expectedChallenge === null) return null
    const response = answer as unknown as RegistrationResponseJSON
    const expected = { expectedChallenge, expectedOrigin: party.origin, expectedRPID: party.id }
    // The library throws for whatever is not as it should be, also for answers of another shape.
    const verified = await verifyRegistrationResponse({
      ...expected,
      response,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => null)
    if (verified?.verified !== true) return null
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).join(' '),
    }
  }

  /** What a browser needs to use a passkey. @param allowed null for any that the browser has for this host */
  async assertion(host: string, place: Place, allowed: readonly PasskeyRow[] | null): Promise<BrowserOptions> {
    const [{ generateAuthenticationOptions }, party] = await Promise.all([load(), this.party(host)])
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      ...(allowed === null ? {} : { allowCredentials: allowed.map(described) }),
      userVerification: allowed === null ? 'required' : 'preferred',
      timeout: CHALLENGE_MS,
    })
    await this.#keep(place, options.challenge)
    return { ...options }
  }

  /**
   * Takes the challenge and checks that one of these passkeys signed it.
   * @param isAlone whether the passkey is all that the person proves, so that it must have verified the person
   * @returns the passkey and its new count, which are still to be stored; null when nothing was proved
   */
  async asserted(
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
    const verified = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { ...described(passkey), publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
      requireUserVerification: isAlone,
    }).catch(() => null)
    return verified?.verified === true ? { passkey, counter: verified.authenticationInfo.newCounter } : null
  }

  /** The relying party at the host of a request: the name that passkeys are bound to, and the origin of its pages. */
  async party(host: string): Promise<{ readonly id: string; readonly origin: string }> {
    const { database, publicUrl } = this.#options
    const { issuer } = await realmOf(database.queries, host, publicUrl())
    return { id: new URL(issuer).hostname, origin: new URL(issuer).origin }
  }

  async #keep(place: Place, challenge: string): Promise<void> {
    const row = { ...placed(place), challenge, expires_at: this.#options.now() + CHALLENGE_MS }
    await this.#options.database.write((tx) => steps.putChallenge(tx, row), place.tenantId)
  }

  #take(place: Place): Promise<string | null> {
    const { database, now } = this.#options
    return database.write((tx) => steps.takeChallenge(tx, placed(place), now()), place.tenantId)
  }
}

/** Loaded when first used: most installations that start, and every command, have no use for it. */
function load() {
  return import('@simplewebauthn/server')
}

function placed({
  tenantId,
  purpose,
  boundTo,
}: Place): Pick<PasskeyChallengeRow, 'tenant_id' | 'purpose' | 'bound_to'> {
  return { tenant_id: tenantId, purpose, bound_to: boundTo }
}

function holderOf({ tenant_id: tenantId, user_id: userId }: PasskeyRow): Holder {
  return { tenantId, userId }
}

/** The name of a user that authenticators keep: the same for all passkeys of the user, and it tells nothing. */
function handleOf({ tenantId, userId }: Holder): Buffer {
  return createHash('sha256').update(`${tenantId} ${userId}`).digest()
}

function userHandleOf({ response }: PasskeyAnswer): unknown {
  return (response as { readonly userHandle?: unknown } | null | undefined)?.userHandle
}

function described({ credential_id: id, transports }: PasskeyRow) {
  const named = transports === '' ? [] : (transports.split(' ') as AuthenticatorTransport[])
  return { id, transports: named }
}
