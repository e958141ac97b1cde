import type { Queries } from '../../../platform/database/database.ts'
import { jsonCount, pageOf } from '../../../platform/database/page.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { mapInSlices, threadSlices } from '../../../platform/threads/slices.ts'
import type { SearchAnswer } from '../../../search/engine.ts'
import { EXCERPT_LENGTH_DEFAULT } from '../../../search/excerpts/contract.ts'
import { type Excerpt, Excerpts } from '../../../search/excerpts/excerpt.ts'
import { type Product, PRODUCT_FIELDS } from '../contract.ts'
import { columnsOf, partOf } from '../product.ts'
import * as store from '../store.ts'
import type { ProductHit, ProductSearch } from './search-contract.ts'
import { matchedBy, placesOf, variantsOf } from './search-hits.ts'

type Choice = Pick<ProductSearch, 'fields' | 'excerpt'>

/** Whether a search chooses what its hits have, instead of whole products alone. */
export function choosesFields({ fields, excerpt }: Choice): boolean {
  return fields !== undefined || excerpt !== undefined
}

/** Characters of a description that are read for an excerpt, or for the spelling of a word. */
export const DESCRIPTION_LENGTH_MAX = 16_384

/** Which hits to read, and how they are shown. */
interface Shown {
  readonly query: string
  readonly offset: number
  /** Whether to show the parent in place of a variant, if it exists. */
  readonly asParents: boolean
}

/** Reads what a search chose of one page of its hits, and nothing else. The page ends early like any other. */
export async function chosenHits(
  db: Queries,
  tenantId: string,
  { hits, alternatives }: Pick<SearchAnswer, 'hits' | 'alternatives'>,
  { query, offset, asParents }: Shown,
  choice: Choice,
): Promise<{ readonly hits: ProductHit[]; readonly ids: readonly string[] }> {
  const fields = choice.fields ?? PRODUCT_FIELDS
  const columns = new Set<keyof ProductRow>(columnsOf(fields))
  const places = await placesOf(db, tenantId, hits, asParents)
  const ids = [...new Set(places.map(({ shown }) => shown.id))]
  const long = store.TEXTS.filter((text) => columns.has(text as keyof ProductRow))
  const bytes = long.length === 0 ? null : await store.productBytes(db, tenantId, ids, long)
  const page = pageOf(
    places.map((place) => ({ ...place, bytes: bytes?.get(place.shown.id) ?? 0 })),
    places.length,
  )
  const wanted = [...new Set(page.map(({ shown }) => shown.id))]
  const rows = await store.findProductColumns(db, tenantId, wanted, [...columns.add('id').add('language')])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const variants = await variantsOf(db, tenantId, page)
  const chosen = page.flatMap(({ hit, shown }) => {
    const row = byId.get(shown.id)
    return row === undefined ? [] : [{ hit, row, product: partOf(row, fields) as Product }]
  })
  const stored = page.reduce((sum, place) => sum + place.bytes, 0)
  const fitting = chosen.slice(
    0,
    jsonCount(chosen, stored, ({ product }) => product),
  )
  const shownRows = fitting.map(({ row }) => row)
  const excerpts =
    choice.excerpt === undefined ? null : await excerptsOf(db, tenantId, shownRows, query, choice.excerpt, alternatives)
  return {
    hits: fitting.map(({ hit, product }, i) => {
      const { similarity, score, relevance } = hit
      const variant = variants.get(matchedBy(hit))
      return {
        product,
        similarity,
        score,
        ...(relevance === undefined ? {} : { relevance }),
        rank: offset + i + 1,
        section: 'products' as const,
        ...(variant === undefined ? {} : { variant }),
        ...(excerpts === null ? {} : { excerpt: excerpts[i] }),
      }
    }),
    ids: shownRows.map((row) => row.id!),
  }
}

/** The same choice of hits whose products were read whole, as explanations need them. Others get their turns between. */
export async function chosenOf(
  tenantId: string,
  hits: readonly ProductHit[],
  query: string,
  choice: Choice,
  alternatives?: SearchAnswer['alternatives'],
): Promise<ProductHit[]> {
  const { fields = PRODUCT_FIELDS, excerpt } = choice
  const excerpts =
    excerpt === undefined ? null : new Excerpts(query, excerpt.length ?? EXCERPT_LENGTH_DEFAULT, true, alternatives)
  return mapInSlices(tenantId, hits, (hit) => {
    const { short_description: short, description: long, language } = hit.product
    const text = [short, long]
      .map((each) => each?.slice(0, DESCRIPTION_LENGTH_MAX))
      .filter(Boolean)
      .join('\n')
    const product = Object.fromEntries(fields.map((field) => [field, hit.product[field]])) as unknown as Product
    if (excerpts === null) return { ...hit, product }
    return { ...hit, product, excerpt: excerpts.of({ text, language, passage: null }) }
  })
}

/** The excerpts of the products' descriptions, in their order. */
async function excerptsOf(
  db: Queries,
  tenantId: string,
  rows: readonly Partial<ProductRow>[],
  query: string,
  { length = EXCERPT_LENGTH_DEFAULT }: NonNullable<Choice['excerpt']>,
  alternatives?: SearchAnswer['alternatives'],
): Promise<Excerpt[]> {
  const excerpts = new Excerpts(query, length, true, alternatives)
  const ids = [...new Set(rows.map((row) => row.id!))]
  const texts = await store.findDescriptions(db, tenantId, ids, DESCRIPTION_LENGTH_MAX)
  const found: Excerpt[] = []
  for (const { id, language } of rows) {
    found.push(excerpts.of({ text: texts.get(id!) ?? '', language: language!, passage: null }))
    const pause = threadSlices.pause(tenantId)
    if (pause !== undefined) await pause
  }
  return found
}
