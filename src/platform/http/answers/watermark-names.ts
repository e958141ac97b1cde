import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Cipher of one block (FIPS 197), which is all that a name has. */
const CIPHER = 'aes-128-ecb'
const KEY_BYTES = 16
const TENANT_BYTES = 4
const NUMBER_BYTES = 7
const RANDOM_BYTES = 5
/** Characters of a name: base64url of one block. */
const FORM = /^[\w-]{22}$/

/**
 * Gives watermarks names that tell nothing: the number itself would tell how much a tenant writes, also of what the
 * caller may not see. For the same reason a watermark has another name each time: equal names would tell that nothing
 * was written in between. A name holds for one tenant.
 */
export class WatermarkNames {
  readonly #key: () => Buffer
  readonly #formerKeys: () => readonly Buffer[]

  /**
   * @param key returns at least 16 secret bytes, the same in every process of the installation
   * @param formerKeys returns the keys before, whose names are still read
   */
  constructor(key: () => Buffer, formerKeys: () => readonly Buffer[] = () => []) {
    this.#key = () => key().subarray(0, KEY_BYTES)
    this.#formerKeys = () => formerKeys().map((each) => each.subarray(0, KEY_BYTES))
  }

  nameOf(tenantId: string, watermark: number): string {
    const number = Buffer.alloc(8)
    number.writeBigUInt64BE(BigInt(watermark))
    const block = Buffer.concat([
      tenantMark(tenantId),
      number.subarray(number.length - NUMBER_BYTES),
      randomBytes(RANDOM_BYTES),
    ])
    const cipher = createCipheriv(CIPHER, this.#key(), null).setAutoPadding(false)
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
  }

  /** Returns the watermark of a name; null for a text that is no name of this tenant's watermarks. */
  read(tenantId: string, name: string): number | null {
    if (!FORM.test(name)) return null
    for (const key of [this.#key(), ...this.#formerKeys()]) {
      const watermark = readWith(key, tenantId, name)
      if (watermark !== null) return watermark
    }
    return null
  }
}

function readWith(key: Buffer, tenantId: string, name: string): number | null {
  const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false)
  const block = Buffer.concat([decipher.update(Buffer.from(name, 'base64url')), decipher.final()])
  if (!block.subarray(0, TENANT_BYTES).equals(tenantMark(tenantId))) return null
  const number = Buffer.concat([Buffer.alloc(1), block.subarray(TENANT_BYTES, TENANT_BYTES + NUMBER_BYTES)])
  const watermark = number.readBigUInt64BE()
  return watermark <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(watermark) : null
}

function tenantMark(tenantId: string): Buffer {
  return createHash('sha256').update(tenantId).digest().subarray(0, TENANT_BYTES)
}
