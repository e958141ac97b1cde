import { Lag } from '../memory/host/lag.ts'

/**
 * Keeps for how long replicas have lacked changes. Their tables do not tell when a change was made, so the time counts
 * from when this process first saw that a replica lacks it: soon after a write of its own, or at a look at the status.
 */
export class ReplicaLags {
  readonly #lags = new Map<string, Lag>()

  /**
   * Notes how far a replica is.
   * @param name of the replica's tables
   * @param reached number up to which the replica has every change
   * @param watermark number up to which it should have them
   */
  note(name: string, reached: number, watermark: number): void {
    const lag = this.#lags.get(name) ?? new Lag()
    lag.noteReached(reached)
    if (reached < watermark) lag.noteArrived(watermark, performance.now())
    if (lag.since === null) this.#lags.delete(name)
    else this.#lags.set(name, lag)
  }

  /** Returns for how many milliseconds the oldest change has waited that a replica lacks; 0 where it lacks none. */
  ageOf(name: string): number {
    const since = this.#lags.get(name)?.since ?? null
    return since === null ? 0 : performance.now() - since
  }

  /** Forgets all other replicas, since they are gone. */
  keepOnly(names: readonly string[]): void {
    for (const name of [...this.#lags.keys()].filter((each) => !names.includes(each))) this.#lags.delete(name)
  }
}
