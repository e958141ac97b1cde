import type { Database } from '../../platform/database/database.ts'
import type { Embedder } from '../embedder.ts'
import { measureUnrelated } from './measure.ts'
import { builtinScale } from './scale.ts'
import { findCosines, storeCosines } from './store.ts'

/** Milliseconds until a failed measurement is tried again; each failure doubles them. */
const RETRY_FIRST_MS = 30_000
const RETRY_MAX_MS = 60 * 60_000

interface ScaleKeeperOptions {
  readonly database: Database
  /** Returns the embedder of a model; null if the settings cannot reach the model. */
  readonly embedderOf: (model: string) => Embedder | null
  readonly warn: (message: string, error: Error) => void
  readonly now?: () => number
}

/**
 * Measures each model that is used and not built in, once for the installation. A model that cannot be measured keeps
 * nobody from using it: its cosines count as they are until a later attempt.
 */
export class ScaleKeeper {
  readonly #options: ScaleKeeperOptions
  readonly #now: () => number
  readonly #known = new Set<string>()
  #running: { readonly models: readonly string[]; readonly ended: Promise<void> } | null = null
  /** By model, for one that could not be measured: its failures in a row, and the time of the next attempt. */
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>()

  constructor(options: ScaleKeeperOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Begins to measure those of the models that have no figures yet, unless that goes on already.
   * @param onEnd called when no model is being measured any more
   */
  begin(models: readonly string[], signal?: AbortSignal, onEnd: () => void = () => undefined): void {
    const due = models.filter((model) => this.#isDue(model))
    if (this.#running !== null || due.length === 0) return
    const ended = this.#measureAll(due, signal).finally(() => {
      this.#running = null
      onEnd()
    })
    this.#running = { models: due, ended }
  }

  /** Tells whether a model is being measured. */
  isMeasuring(model: string): boolean {
    return this.#running?.models.includes(model) === true
  }

  /** Waits until no model is being measured. */
  async settled(): Promise<void> {
    await this.#running?.ended
  }

  #isDue(model: string): boolean {
    if (builtinScale(model) !== null || this.#known.has(model)) return false
    return (this.#failures.get(model)?.until ?? 0) <= this.#now()
  }

  async #measureAll(models: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const model of models) {
      if (signal?.aborted) return
      try {
        await this.#measureOne(model, signal)
        this.#known.add(model)
      } catch (error) {
        if (!signal?.aborted) this.#failed(model, error as Error)
      }
    }
  }

  async #measureOne(model: string, signal?: AbortSignal): Promise<void> {
    const { database, embedderOf } = this.#options
    if ((await findCosines(database.queries, model)) !== null) return
    const embedder = embedderOf(model)
    if (embedder === null) throw new Error('the settings cannot reach the model')
    const cosines = await measureUnrelated(embedder, signal)
    await database.write((tx) => storeCosines(tx, model, cosines, this.#now()))
  }

  #failed(model: string, error: Error): void {
    const count = (this.#failures.get(model)?.count ?? 0) + 1
    const waitMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (count - 1))
    this.#failures.set(model, { count, until: this.#now() + waitMs })
    // The queue says by itself, and more often, that a provider is away.
    if (count === 1) this.#options.warn(`the cosines of ${model} could not be measured, and will be later`, error)
  }
}
