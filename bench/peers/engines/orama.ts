/** Serves Orama, a search engine in the process's memory, by words. */
import type { Filter } from '../collection.ts'
import { type Engine, HITS, type Tuning } from '../engine.ts'
import type { StoredEntry } from '../files.ts'
import { serve } from './serve.ts'

/**
 * The part of the package that is used here. It is declared, because the package is not installed where this file is
 * type-checked.
 */
interface Orama {
  create(options: { schema: object }): object
  insertMultiple(index: object, documents: readonly object[], batchSize: number): unknown
  search(
    index: object,
    query: object,
  ):
    | Promise<{ hits: { document: { body: string }; score: number }[] }>
    | { hits: { document: { body: string }; score: number }[] }
}

const PACKAGE: string = '@orama/orama'
const BATCH = 1_000

class OramaEngine implements Engine {
  readonly #orama: Orama
  readonly #index: object
  #tuning: Tuning = {}

  constructor(orama: Orama) {
    this.#orama = orama
    const fields = { half: 'enum', layer: 'enum', category: 'enum', tenant: 'enum' }
    this.#index = orama.create({ schema: { title: 'string', content: 'string', ...fields } })
  }

  async load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void> {
    for await (const batch of batches) {
      const documents = batch.map(({ title, content, body, fields }) => ({ title, content, body, ...fields }))
      await this.#orama.insertMultiple(this.#index, documents, BATCH)
    }
  }

  tune(tuning: Tuning): void {
    this.#tuning = tuning
  }

  async search({ words, filter }: { words: string; filter: Filter | null }) {
    const { hits } = await this.#orama.search(this.#index, {
      term: words,
      properties: ['title', 'content'],
      limit: HITS,
      threshold: this.#tuning.threshold,
      exact: this.#tuning['whole words'] === true,
      ...(filter === null ? {} : { where: { [filter.field]: { eq: filter.value } } }),
    })
    return hits.map(({ document, score }) => ({ body: document.body, score }))
  }
}

await serve('words', async () => new OramaEngine((await import(PACKAGE)) as Orama))
