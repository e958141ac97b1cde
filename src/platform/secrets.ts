import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readSecretFile } from './secret-file.ts'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** The salt is not secret; the purpose of a key is added to it (RFC 5869, section 3.1). */
const SALT = 'knowledge-service'

/**
 * Encrypts text that is stored in the database or a browser and read again later. Each purpose has its own key, so that
 * text sealed for one purpose cannot be used for another.
 */
export class SecretBox {
  readonly #keys = new Map<string, Buffer>()
  readonly #source: () => string

  /** @param source returns the secret that all keys derive from; called on first use */
  constructor(source: () => string) {
    this.#source = source
  }

  /**
   * Returns the box of this installation.
   * @param place.secretKey null for the file `secret.key` in the data directory, which is created when missing
   */
  static of({ secretKey, dataDir }: { readonly secretKey: string | null; readonly dataDir: string }): SecretBox {
    return new SecretBox(() => secretKey ?? readSecretFile(dataDir))
  }

  /**
   * Returns a 256-bit key for the purpose, the same at every start (HKDF-SHA-256, RFC 5869).
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

  /** Encrypts and authenticates (AES-256-GCM). The result has only letters, digits, `.`, `-` and `_`. */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.derive(purpose), iv)
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${VERSION}.${sealed.toString('base64url')}`
  }

  /** Decrypts a sealed text. @returns null when it was not sealed for this purpose with this secret, or was changed */
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
