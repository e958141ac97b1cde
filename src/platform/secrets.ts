import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readSecretFile } from './secret-file.ts'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** Where keys come from is no secret; what they are for comes beside it (RFC 5869, section 3.1). */
const SALT = 'knowledge-service'

/**
 * Seals text that is kept in the database or in a browser and must be read again. Every purpose has a key of its own,
 * so that what was sealed for one is nothing to another.
 */
export class SecretBox {
  readonly #keys = new Map<string, Buffer>()
  readonly #source: () => string

  /** @param source the secret that all keys come from; asked for at the first use */
  constructor(source: () => string) {
    this.#source = source
  }

  /**
   * The box of this installation.
   * @param place.secretKey null takes the file `secret.key` in the data directory, which is made when it is missing
   */
  static of({ secretKey, dataDir }: { readonly secretKey: string | null; readonly dataDir: string }): SecretBox {
    return new SecretBox(() => secretKey ?? readSecretFile(dataDir))
  }

  /**
   * A key of 256 bits for that purpose, the same at every start (HKDF-SHA-256, RFC 5869).
   * @throws SecretFileError when the file can neither be read nor made
   */
  derive(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#source(), SALT, purpose, KEY_BYTES))
      this.#keys.set(purpose, key)
    }
    return key
  }

  /** Encrypts and authenticates (AES-256-GCM); the answer has letters, digits, `.`, `-` and `_` only. */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.derive(purpose), iv)
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${VERSION}.${sealed.toString('base64url')}`
  }

  /** @returns null for what was not sealed for this purpose with this secret, or was changed since */
  open(purpose: string, sealed: string): string | null {
    const [version, encoded] = sealed.split('.', 2)
    const bytes = Buffer.from(encoded ?? '', 'base64url')
    if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) return null
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv(CIPHER, this.derive(purpose), bytes.subarray(0, IV_BYTES), options)
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return null
    }
  }
}
