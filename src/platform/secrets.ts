import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFormerSecret, readSecretFile } from './secret-file.ts'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** The salt is not secret; the purpose of a key is added to it (RFC 5869, section 3.1). */
const SALT = 'knowledge-service'

/** Where the secret key of an installation is. */
export interface SecretSource {
  /** Null for the file `secret.key` in the data directory, which is created when missing. */
  readonly secretKey: string | null
  readonly dataDir: string
  /** Keys from before, which still open what they have sealed; with a key file the former one is beside it. */
  readonly formerSecretKeys?: readonly string[]
}

/** Keys of one secret by purpose. Each purpose has its own, so that text sealed for one cannot be used for another. */
class DerivedKeys {
  readonly #keys = new Map<string, Buffer>()
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  of(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, SALT, purpose, KEY_BYTES))
      this.#keys.set(purpose, key)
    }
    return key
  }
}

/**
 * Encrypts text that is stored in the database or a browser and read again later. While a secret is replaced, the former
 * ones open what they have sealed.
 */
export class SecretBox {
  readonly #source: () => string
  readonly #formerSource: () => readonly string[]
  #current: DerivedKeys | null = null
  #former: readonly DerivedKeys[] | null = null

  /**
   * @param source returns the secret that all keys derive from; called on first use
   * @param formerSource returns the secrets before, newest first; called when the present one does not open a text
   */
  constructor(source: () => string, formerSource: () => readonly string[] = () => []) {
    this.#source = source
    this.#formerSource = formerSource
  }

  /** Returns the box of an installation. */
  static of({ secretKey, dataDir, formerSecretKeys = [] }: SecretSource): SecretBox {
    return new SecretBox(
      () => secretKey ?? readSecretFile(dataDir),
      () => (secretKey === null ? [...formerSecretKeys, ...readFormerSecret(dataDir)] : formerSecretKeys),
    )
  }

  /**
   * Returns a 256-bit key for the purpose, the same at every start (HKDF-SHA-256, RFC 5869).
   * @throws SecretFileError when the file can neither be read nor made
   */
  derive(purpose: string): Buffer {
    this.#current ??= new DerivedKeys(this.#source())
    return this.#current.of(purpose)
  }

  /** Returns the keys that former secrets gave for the purpose, newest first. */
  deriveFormer(purpose: string): readonly Buffer[] {
    this.#former ??= this.#formerSource().map((secret) => new DerivedKeys(secret))
    return this.#former.map((keys) => keys.of(purpose))
  }

  /** Encrypts and authenticates (AES-256-GCM). The result has only letters, digits, `.`, `-` and `_`. */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.derive(purpose), iv)
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${VERSION}.${sealed.toString('base64url')}`
  }

  /** Decrypts a sealed text. @returns null when it was not sealed for this purpose with these secrets, or was changed */
  open(purpose: string, sealed: string): string | null {
    return this.openBy(purpose, sealed)?.text ?? null
  }

  /** Decrypts a sealed text, and says whether a former secret has sealed it. @returns null as `open` does */
  openBy(purpose: string, sealed: string): { readonly text: string; readonly isFormer: boolean } | null {
    const bytes = sealedBytes(sealed)
    if (bytes === null) return null
    const text = decrypt(this.derive(purpose), bytes)
    if (text !== null) return { text, isFormer: false }
    for (const key of this.deriveFormer(purpose)) {
      const former = decrypt(key, bytes)
      if (former !== null) return { text: former, isFormer: true }
    }
    return null
  }
}

function sealedBytes(sealed: string): Buffer | null {
  const [version, encoded] = sealed.split('.', 2)
  const bytes = Buffer.from(encoded ?? '', 'base64url')
  return version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES ? null : bytes
}

function decrypt(key: Buffer, bytes: Buffer): string | null {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
