import { WrongVectorLength } from './vector-length.ts'

/** The length of a tenant's stored vectors of a model; null while there are none. */
export type LengthOf = (tenantId: string, model: string) => Promise<number | null>

/**
 * Holds the vectors of queries against the stored ones. Lengths are read once and kept; whether a kept one is out of
 * date shows in a vector that differs from it, and then it is read again.
 */
export class QueryLengths {
  readonly #lengthOf: LengthOf
  readonly #known = new Map<string, number>()

  constructor(lengthOf: LengthOf) {
    this.#lengthOf = lengthOf
  }

  /** @returns the vector @throws WrongVectorLength when the tenant's vectors have another length */
  async checked(tenantId: string, model: string, vector: Float32Array): Promise<Float32Array> {
    const key = JSON.stringify([tenantId, model])
    if (this.#known.get(key) === vector.length) return vector
    const stored = await this.#lengthOf(tenantId, model)
    if (stored === null) return vector
    this.#known.set(key, stored)
    if (stored !== vector.length) throw new WrongVectorLength(model, vector.length, stored)
    return vector
  }
}
