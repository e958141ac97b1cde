/** Time in which something that repeats is told once. */
const PERIOD_MS = 60_000
/** Things that are remembered at once. Beyond it, those that were told longest ago may be told again too early. */
const REMEMBERED_MAX = 1_000

/** Something that was told, and how often it came since. */
interface Telling {
  readonly atMs: number
  count: number
}

/** Tells things that repeat once a minute, so that a client that never stops asking does not fill the log. */
export class Repetitions {
  /** The last telling of each thing, the oldest first. */
  readonly #tellings = new Map<string, Telling>()

  /** Notes that a thing came. @returns how often it came untold since it was told last; null when it is not told now */
  note(key: string, nowMs: number): number | null {
    const last = this.#tellings.get(key)
    if (last !== undefined && nowMs - last.atMs < PERIOD_MS) {
      last.count++
      return null
    }
    this.#tellings.delete(key)
    this.#tellings.set(key, { atMs: nowMs, count: 0 })
    if (this.#tellings.size > REMEMBERED_MAX) this.#tellings.delete(this.#tellings.keys().next().value!)
    return last?.count ?? 0
  }
}
