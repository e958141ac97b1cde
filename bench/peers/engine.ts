import type { Filter } from './collection.ts'
import type { StoredEntry } from './files.ts'

/** Settings that an engine gets before it is searched, such as `{ ef: 80 }`. */
export type Tuning = Readonly<Record<string, number | boolean>>

/** Settings of a peer's process: its only argument, as JSON. */
export interface PeerSettings {
  readonly folder: string
  readonly dimensions: number
  readonly tenants: number
  readonly entries: number
  /** Address of the server that looks vectors up; null for the built-in model. */
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
  /** Returns the ten best hits. */
  search(query: {
    readonly words: string
    readonly vector: Float32Array
    readonly filter: Filter | null
  }): Promise<Hit[]>
}

export const HITS = 10
/** The model that the server of vectors answers for. */
export const MODEL = 'bench'
