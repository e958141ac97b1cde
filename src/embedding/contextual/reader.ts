import type { ModelForm } from './model-form.ts'

/** The vectors of the texts of one call, in the order of the texts, and the number of tokens that were read. */
export interface Reading {
  readonly vectors: Float32Array[]
  readonly tokens: number
}

export type Purpose = 'query' | 'passage'

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** Another model than the one that ships with the service. */
  readonly form?: ModelForm
  /** Id of the tenant for which the texts are read; by default they are read for none. */
  readonly owner?: string
}

/** Reads texts with the contextual model, or with a model of the operator's, wherever it runs. */
export interface TextReader {
  /**
   * Why the model can never be loaded by this process, such as a package that is not installed; null where it can be
   * tried. Finding out loads nothing.
   */
  readonly absence: string | null
  /** Why texts are not read now, as far as this process knows: the absence, or the last failure to load; else null. */
  readonly trouble: string | null
  /**
   * Returns the vectors of texts: of length 1, or all zeros for a text without a known word. Queries come before
   * passages, also before those left of a call, and tenants take turns.
   * @throws EmbeddingUnavailable when the model cannot read now, EmbeddingNonsense when it gave numbers that are none
   */
  read(texts: readonly string[], purpose: Purpose, options?: ReadOptions): Promise<Reading>
  close(): Promise<void>
}
