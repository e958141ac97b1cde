import { setTimeout as sleep } from 'node:timers/promises'
import { Failed, HungUp, type SoakRequest, type Balancer, type Reply } from './balancer.ts'

export type Send = (request: Omit<SoakRequest, 'signal'>) => Promise<Reply>

/** A kind of requests. */
export interface Kind {
  readonly name: string
  /** Percentage of all requests. */
  readonly share: number
  /** Sends a request of the kind. Rejects with `Failed` or `HungUp`. */
  readonly run: (send: Send) => Promise<void>
}

export interface Outcome {
  readonly kind: string
  /** Time at which the request should have been sent. */
  readonly dueMs: number
  readonly endMs: number
  /** Reason why the request failed; null if it did not. */
  readonly reason: string | null
  readonly hungUp: boolean
}

/** Sends mixed requests of many clients. */
export class Load {
  readonly #kinds: readonly Kind[]
  readonly #balancer: Balancer
  readonly #random: () => number
  readonly #running = new Set<Promise<void>>()
  #isStopped = false
  /** Returns the signal by which a client hangs up; undefined for none. */
  hangUp: () => AbortSignal | undefined = () => undefined

  constructor(kinds: readonly Kind[], balancer: Balancer, random: () => number) {
    this.#kinds = kinds
    this.#balancer = balancer
    this.#random = random
  }

  /**
   * Lets each of some clients send its next request when the last was answered.
   * @returns answers a second, refusals left out
   */
  async capacity(clients: number, warmUpMs: number, measureMs: number): Promise<number> {
    let answered = 0
    const beganMs = performance.now() + warmUpMs
    const untilMs = beganMs + measureMs
    const client = async (): Promise<void> => {
      while (performance.now() < untilMs) {
        const { reason, endMs } = await this.#one(performance.now())
        if (reason === null && endMs >= beganMs && endMs < untilMs) answered++
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    return answered / (measureMs / 1_000)
  }

  /** Sends requests at fixed times until the load is stopped, even while earlier ones have no answer. */
  async keepUp(perSecond: number, onOutcome: (outcome: Outcome) => void): Promise<void> {
    const beganMs = performance.now()
    for (let i = 0; !this.#isStopped; i++) {
      const dueMs = beganMs + (i * 1_000) / perSecond
      const waitMs = dueMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      const one = this.#one(dueMs).then(onOutcome)
      this.#running.add(one)
      void one.finally(() => this.#running.delete(one))
    }
    await Promise.all(this.#running)
  }

  stop(): void {
    this.#isStopped = true
  }

  async #one(dueMs: number): Promise<Outcome> {
    const kind = this.#choose()
    const signal = this.hangUp()
    const outcome = { kind: kind.name, dueMs, reason: null, hungUp: false }
    try {
      await kind.run((request) => this.#balancer.send({ ...request, signal }))
      return { ...outcome, endMs: performance.now() }
    } catch (error) {
      const endMs = performance.now()
      if (error instanceof HungUp) return { ...outcome, endMs, hungUp: true }
      if (error instanceof Failed) return { ...outcome, endMs, reason: error.message }
      throw error
    }
  }

  #choose(): Kind {
    let left = this.#random() * this.#kinds.reduce((sum, { share }) => sum + share, 0)
    return this.#kinds.find(({ share }) => (left -= share) < 0) ?? this.#kinds[0]
  }
}
