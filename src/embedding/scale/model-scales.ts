import { builtinScale, IDENTITY, type Scale, scaleBy, type UnrelatedCosines } from './scale.ts'

/** Returns what was measured of a model; null before. */
export type MeasuredOf = (model: string) => Promise<UnrelatedCosines | null>

/** Milliseconds until a model without figures is looked up again. */
const LOOK_AGAIN_MS = 2_000

/** Says on which scale the cosines of each model count. Figures never change, so that each is read once. */
export class ModelScales {
  readonly #measuredOf: MeasuredOf
  readonly #now: () => number
  readonly #known = new Map<string, Scale>()
  /** By model without figures, the last look and its time. */
  readonly #looks = new Map<string, { readonly at: number; readonly scale: Promise<Scale> }>()

  /** @param measuredOf reads what was measured of a model that is not built in */
  constructor(measuredOf: MeasuredOf, now = Date.now) {
    this.#measuredOf = measuredOf
    this.#now = now
  }

  /** Returns the scale of a model; the identity until it is measured, and while the figures cannot be read. */
  async of(model: string): Promise<Scale> {
    const known = this.#known.get(model) ?? builtinScale(model)
    if (known !== null) return known
    const look = this.#looks.get(model)
    if (look !== undefined && this.#now() - look.at < LOOK_AGAIN_MS) return look.scale
    const scale = this.#look(model)
    this.#looks.set(model, { at: this.#now(), scale })
    return scale
  }

  async #look(model: string): Promise<Scale> {
    // A search does without: what keeps the figures from being read fails the search itself, or is over soon.
    const measured = await this.#measuredOf(model).catch(() => null)
    if (measured === null) return IDENTITY
    const scale = scaleBy(measured)
    this.#known.set(model, scale)
    this.#looks.delete(model)
    return scale
  }
}
