import type { Filter } from './collection.ts'
import type { StoredEntry } from './files.ts'

/** What an engine is told before it is searched, such as `{ ef: 80 }`. */
export type Tuning = Readonly<Record<string, number | boolean>>

/** How a peer's process is started: the only argument, as JSON. */
export interface PeerSettings {
  readonly folder: string
  readonly dimensions: number
  readonly tenants: number
  readonly entries: number
  /** The server that looks vectors up; null for the built-in model. */
  readonly embeddingUrl: string | null
  readonly databaseUrl: string | null
}

export interface Hit {
  /** The whole entry as JSON. */
  readonly body: string
  readonly score: number
}

/** An engine inside its server process. */
export interface Engine {
  load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void>
  tune(tuning: Tuning): Promise<void> | void
  /** The best ten. */
  search(query: {
    readonly words: string
    readonly vector: Float32Array
    readonly filter: Filter | null
  }): Promise<Hit[]>
}

export const HITS = 10
/** The model that the server of vectors answers for. */
export const MODEL = 'bench'
