import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Phase } from '../reading-report.ts'
import { type Distribution, distribution } from '../support/distribution.ts'
import { Exchange } from '../support/exchange.ts'

const CONNECTIONS_MAX = 64
const PATIENCE_MS = 30_000
const SEARCH = '/api/knowledge/knowledge-entries/search'

/** Searches at fixed times, even while earlier searches have no answer. A time counts from when a search was due. */
export class SearchesBeside {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  readonly #queries: readonly string[]
  readonly #latencies = new Map<Phase, number[]>()
  readonly #running = new Set<Promise<void>>()
  #phase: Phase | null = null
  #lost = 0
  #isStopped = false
  readonly #ended: Promise<void>

  constructor(url: string, key: string, queries: readonly string[], everyMs: number) {
    this.#pool = new Pool(url, {
      connections: CONNECTIONS_MAX,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    })
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    this.#queries = queries
    this.#ended = this.#run(everyMs)
  }

  /** Begins a part; searches that become due from here on belong to it. */
  phase(name: Phase): void {
    this.#phase = name
  }

  /** Stops, waits for the searches under way, and returns the figures by part. */
  async figures(): Promise<{ searches: Partial<Record<Phase, Distribution>>; lost: number }> {
    await this.stop()
    const searches = Object.fromEntries(
      Array.from(this.#latencies, ([phase, latencies]) => [phase, distribution(latencies)] as const),
    )
    return { searches, lost: this.#lost }
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    await this.#ended
    await this.#pool.close()
  }

  async #run(everyMs: number): Promise<void> {
    const began = performance.now()
    for (let i = 0; !this.#isStopped; i++) {
      const due = began + i * everyMs
      const wait = due - performance.now()
      if (wait > 0) await sleep(wait)
      const one = this.#search(this.#queries[i % this.#queries.length], due, this.#phase)
      this.#running.add(one)
      void one.finally(() => this.#running.delete(one))
    }
    await Promise.all(this.#running)
  }

  async #search(query: string, due: number, phase: Phase | null): Promise<void> {
    const body = JSON.stringify({ query, mode: 'hybrid', limit: 10 })
    const status = await Exchange.run(this.#pool, { method: 'POST', path: SEARCH, headers: this.#headers, body }).catch(
      () => null,
    )
    if (phase === null) return
    const latencies = this.#latencies.get(phase) ?? []
    if (latencies.push(performance.now() - due) === 1) this.#latencies.set(phase, latencies)
    if (status !== 200) this.#lost++
  }
}
