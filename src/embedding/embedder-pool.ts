import type { Embedder } from './embedder.ts'
import { createEmbedder, createEmbedderFor, type EmbeddingSettings } from './providers.ts'

/**
 * The embedders of one thread: the configured one, and those of models that tenants still search
 * with while they move to it.
 */
export class EmbedderPool {
  readonly current: Embedder
  readonly #settings: EmbeddingSettings
  readonly #others = new Map<string, Embedder | null>()

  /** @throws Error naming the setting that cannot work */
  constructor(settings: EmbeddingSettings) {
    this.#settings = settings
    this.current = createEmbedder(settings)
  }

  /** The embedder of that id; null when today's settings give no way to reach the model. */
  of(id: string): Embedder | null {
    if (id === this.current.id) return this.current
    let other = this.#others.get(id)
    if (other === undefined) {
      other = createEmbedderFor(id, this.#settings)
      this.#others.set(id, other)
    }
    return other
  }

  async close(): Promise<void> {
    for (const embedder of [this.current, ...this.#others.values()]) await embedder?.close()
  }
}
