import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Options of a service for a browser, as far as an authenticator reads them. */
interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
}

interface Made {
  readonly id: Buffer
  readonly key: KeyObject
  readonly userHandle: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40

/**
 * A browser with an authenticator (WebAuthn level 3), in software: it makes ES256 keys and signs with them. It does
 * what it is told, also what no honest browser would do.
 */
export class Authenticator {
  /** Whether it verifies its owner, by a PIN for example. */
  isVerifying = true
  /** Whether it counts its uses. */
  isCounting = true
  count = 0
  readonly #made: Made[] = []
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns the answer of `navigator.credentials.create()`, as JSON. */
  create({ challenge, rp, user }: Options, origin = this.#origin): Record<string, unknown> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    this.#made.push({ id, key: privateKey, userHandle: user!.id })
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const head = Buffer.from('a50102032620012158 20'.replace(' ', ''), 'hex')
    const cose = Buffer.concat([head, bytesOf(x), Buffer.from('225820', 'hex'), bytesOf(y)])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const authData = Buffer.concat([this.#data(rp!.id, ATTESTED), attested])
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([authData.length >> 8, authData.length & 0xff]),
      authData,
    ])
    return {
      ...named(id),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /**
   * Returns the answer of `navigator.credentials.get()`, as JSON.
   * @param nth number of the passkey that it uses
   */
  get({ challenge, rpId, allowCredentials }: Options, nth = -1, origin = this.#origin): Record<string, unknown> {
    const allowed = allowCredentials?.map(({ id }) => id)
    const fitting = this.#made.filter(({ id }) => allowed === undefined || allowed.includes(id.toString('base64url')))
    const used: Made | undefined = (fitting.length > 0 ? fitting : this.#made).at(nth)
    if (used === undefined) throw new Error('There is no passkey')
    const { id, key, userHandle } = used
    if (this.isCounting) this.count++
    const authenticatorData = this.#data(rpId!, 0)
    const clientDataJSON = clientData('webauthn.get', challenge, origin)
    const hash = createHash('sha256').update(bytesOf(clientDataJSON)).digest()
    return {
      ...named(id),
      response: {
        clientDataJSON,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authenticatorData, hash]), key).toString('base64url'),
        userHandle,
      },
    }
  }

  #data(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.count)
    const all = USER_PRESENT | (this.isVerifying ? USER_VERIFIED : 0) | flags
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count])
  }
}

function named(id: Buffer): Record<string, unknown> {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
