import { WrongVectorLength } from './vector-length.ts'

/** Returns the length of a tenant's stored vectors of a model; null while there are none. */
export type LengthOf = (tenantId: string, model: string) => Promise<number | null>

/**
 * Compares the lengths of query vectors and stored vectors. The stored length is read once and cached. If a query's
 * vector differs from it, the cached length may be out of date, and it is read again.
 */
export class QueryLengths {
  readonly #lengthOf: LengthOf
  readonly #lengths = new Map<string, number>()

  constructor(lengthOf: LengthOf) {
    this.#lengthOf = lengthOf
  }

  /**
   * Checks and returns a query's vector.
   * @throws WrongVectorLength when the tenant's stored vectors have another length
   */
  async check(tenantId: string, model: string, vector: Float32Array): Promise<Float32Array> {
    if (this.#lengths.get(keyOf(tenantId, model)) === vector.length) return vector
    return this.checkAgain(tenantId, model, vector)
  }

  /**
   * Checks and returns a query's vector of before, which may be as long as the cached length, and both out of date.
   * @throws WrongVectorLength when the tenant's stored vectors have another length
   */
  async checkAgain(tenantId: string, model: string, vector: Float32Array): Promise<Float32Array> {
    const stored = await this.#lengthOf(tenantId, model)
    if (stored === null) return vector
    this.#lengths.set(keyOf(tenantId, model), stored)
    if (stored !== vector.length) throw new WrongVectorLength(model, vector.length, stored)
    return vector
  }
}

function keyOf(tenantId: string, model: string): string {
  return JSON.stringify([tenantId, model])
}
