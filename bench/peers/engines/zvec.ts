/** Serves zvec, a vector database inside the process: a graph of the vectors, and an inverted index for each field. */
import { join } from 'node:path'
import type { Filter } from '../collection.ts'
import { type Engine, HITS, type PeerSettings, type Tuning } from '../engine.ts'
import type { StoredEntry } from '../files.ts'
import { serve } from './serve.ts'

/**
 * The part of the package that is used here. It is declared, because the package is not installed where this file is
 * type-checked.
 */
interface Zvec {
  readonly ZVecDataType: { readonly STRING: number; readonly INT32: number; readonly VECTOR_FP32: number }
  readonly ZVecIndexType: { readonly HNSW: number; readonly INVERT: number }
  readonly ZVecMetricType: { readonly IP: number }
  readonly ZVecCollectionSchema: new (schema: object) => object
  readonly ZVecCreateAndOpen: (path: string, schema: object) => ZvecCollection
}

interface ZvecCollection {
  insertSync(documents: readonly object[]): { readonly ok: boolean; readonly message?: string }[]
  optimize(): Promise<void>
  query(query: object): Promise<{ readonly fields: { readonly body: string }; readonly score: number }[]>
}

const PACKAGE: string = '@zvec/zvec'
const FIELDS = ['half', 'layer', 'category', 'tenant']

class ZvecEngine implements Engine {
  readonly #hnsw: number
  readonly #collection: ZvecCollection
  #tuning: Tuning = {}

  constructor(zvec: Zvec, { folder, dimensions }: PeerSettings) {
    const { ZVecDataType: types, ZVecIndexType: indexes } = zvec
    this.#hnsw = indexes.HNSW
    const schema = new zvec.ZVecCollectionSchema({
      name: 'entries',
      vectors: {
        name: 'embedding',
        dataType: types.VECTOR_FP32,
        dimension: dimensions,
        indexParams: { indexType: indexes.HNSW, metricType: zvec.ZVecMetricType.IP, m: 50, efConstruction: 500 },
      },
      fields: [
        { name: 'body', dataType: types.STRING },
        ...FIELDS.map((name) => ({ name, dataType: types.INT32, indexParams: { indexType: indexes.INVERT } })),
      ],
    })
    this.#collection = zvec.ZVecCreateAndOpen(join(folder, 'zvec'), schema)
  }

  async load(batches: AsyncIterable<readonly StoredEntry[]>): Promise<void> {
    for await (const batch of batches) {
      const documents = batch.map(({ number, body, vector, fields }) => ({
        id: String(number),
        vectors: { embedding: vector },
        fields: { ...fields, body },
      }))
      const failed = this.#collection.insertSync(documents).find(({ ok }) => !ok)
      if (failed !== undefined) throw new Error(`zvec refused an entry: ${failed.message}`)
    }
    await this.#collection.optimize()
  }

  tune(tuning: Tuning): void {
    this.#tuning = tuning
  }

  async search({ vector, filter }: { vector: Float32Array; filter: Filter | null }) {
    const { ef, exact } = this.#tuning
    const hits = await this.#collection.query({
      fieldName: 'embedding',
      vector,
      topk: HITS,
      ...(filter === null ? {} : { filter: `${filter.field} = ${filter.value}` }),
      outputFields: ['body'],
      params: { indexType: this.#hnsw, ...(exact ? { isLinear: true } : { ef }) },
    })
    return hits.map(({ fields, score }) => ({ body: fields.body, score }))
  }
}

await serve('vectors', async (settings) => new ZvecEngine((await import(PACKAGE)) as Zvec, settings))
