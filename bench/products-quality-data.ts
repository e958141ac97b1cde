import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { recordOf } from '../src/channels/import/feeds/record.ts'
import { type JudgedQuery, readGrades, readJudgedQueries } from './judged-data.ts'
import type { Judgments } from './quality-metrics.ts'

/** Two catalogues, each imported as its own site, and queries for them. */
export interface Shop {
  readonly site: string
  readonly products: readonly Record<string, unknown>[]
  readonly queries: readonly JudgedQuery[]
  /** Judgments by query; products by their external_id. A query that no product answers has none. */
  readonly judgments: ReadonlyMap<string, Judgments>
}

const SHOPS = [
  { site: 'electronics', files: ['icecat-catalog/products.jsonl.gz'] },
  { site: 'groceries', files: ['openfoodfacts/products-de.jsonl.gz', 'openfoodfacts/products-en.jsonl.gz'] },
]

/** The shops' files below the folder of collections. */
export const SHOP_FILES: readonly string[] = SHOPS.flatMap(({ files }) => files)

/** Reads the shops. @throws Error of the file system when a file is missing */
export function readShops(folder: string): Shop[] {
  return SHOPS.map(({ site, files }) => ({
    site,
    products: files.flatMap((file) => readCatalogue(join(folder, file))),
    queries: readJudgedQueries(site),
    judgments: readGrades(site),
  }))
}

function readCatalogue(file: string): Record<string, unknown>[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const { nutrientsPer100g: _nutrients, ...record } = JSON.parse(line) as Record<string, unknown>
      return { language: 'en', ...recordOf(record) }
    })
}
