/** Serves MiniSearch, a full-text index in the process's memory. */
import type { Filter, FilterField } from '../collection.ts'
import { type Engine, HITS, type Tuning } from '../engine.ts'
import type { StoredEntry } from '../files.ts'
import { serve } from './serve.ts'

/**
 * The part of the package that is used here. It is declared, because the package is not installed where this file is
 * type-checked.
 */
interface MiniSearch {
  addAll(documents: readonly object[]): void
  search(
    words: string,
    options: {
      combineWith: 'AND' | 'OR'
      filter?: (result: Readonly<Record<FilterField, number>>) => boolean
    },
  ): { id: number; score: number }[]
}

const PACKAGE: string = 'minisearch'

class MiniSearchEngine implements Engine {
  readonly #index: MiniSearch
  /** Bodies of entries. MiniSearch could store them too, but an array takes less memory. */
  readonly #bodies: string[] = []
  #tuning: Tuning = {}

  constructor(open: new (options: object) => MiniSearch) {
    this.#index = new open({ fields: ['title', 'content'], storeFields: ['half', 'layer', 'category', 'tenant'] })
  }

  async load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void> {
    for await (const batch of batches) {
      this.#index.addAll(batch.map(({ number, title, content, fields }) => ({ id: number, title, content, ...fields })))
      for (const { body } of batch) this.#bodies.push(body)
    }
  }

  tune(tuning: Tuning): void {
    this.#tuning = tuning
  }

  async search({ words, filter }: { words: string; filter: Filter | null }) {
    const hits = this.#index.search(words, {
      combineWith: this.#tuning.all ? 'AND' : 'OR',
      ...(filter === null ? {} : { filter: (result) => result[filter.field] === filter.value }),
    })
    return hits.slice(0, HITS).map(({ id, score }) => ({ body: this.#bodies[id], score }))
  }
}

await serve('words', async () => {
  const { default: open } = (await import(PACKAGE)) as { default: new (options: object) => MiniSearch }
  return new MiniSearchEngine(open)
})
