/** Reads products and presents them as hits. */
import type { Caller } from '../../../platform/access/caller.ts'
import type { ClickBoost } from '../../../insights/learning/learning.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import type { HitExplanation, SearchHit } from '../../../search/engine.ts'
import type { ExcerptedHit } from '../../../search/hits/hit-excerpts.ts'
import type { HitKind, HitPlace } from '../../../search/hits/presented-hits.ts'
import type { DocumentSource } from '../../../search/hits/shown-documents.ts'
import { DocumentShape } from '../../../search/hits/written-document.ts'
import { PRODUCT_FIELDS } from '../contract.ts'
import { embeddingTextsOf } from '../indexing/embedding-texts.ts'
import type { MerchandisingEffect } from '../merchandising/compile.ts'
import { changesWithTime } from '../price.ts'
import { columnsOf, partOf, productOf } from '../product.ts'
import * as store from '../store.ts'
import type { ProductExplanation } from './search-contract.ts'

/** Code points of a description that are read for an excerpt, or for the spelling of a word. */
export const DESCRIPTION_LENGTH_MAX = 16_384

const SHAPE = new DocumentShape(PRODUCT_FIELDS)
const LONG_FIELDS: ReadonlySet<string> = new Set(store.TEXTS)
/** Rows that one statement reads for explanations. */
const EXPLAINED_ROWS = 10

/** Hit with the state of the product to show, which may be the parent of the product that matched. */
interface ProductPlace extends HitPlace {
  readonly shown: store.HitState
}

/** Facts of a search that its hits show or explain. */
interface HitFacts {
  /** Number of hits before the page. */
  readonly offset: number
  readonly isExplained: boolean
  readonly boosts: Promise<ReadonlyMap<string, ClickBoost>>
  /** Effect of merchandising; null without rules, or where the caller may not know them. */
  readonly effect: MerchandisingEffect | null
}

/**
 * Returns the reading of products and their presentation as hits.
 * @param asParents whether to show the parent in place of a variant, if the parent exists
 * @param facts null for similar products, whose hits have the similarity alone
 */
export function productHits(
  db: Queries,
  caller: Caller,
  asParents: boolean,
  facts: HitFacts | null,
): HitKind<ProductPlace> {
  const { id: tenantId } = caller.tenant
  return {
    name: 'product',
    withScore: facts !== null,
    wholeText: true,
    owner: { tenantId, model: null },
    documents: productsOf(db, tenantId),
    needed: ['language'],
    added: [],
    placesOf: (hits) => placesOf(db, tenantId, hits, asParents),
    // The time of the last sync changes without a new `seq` of the product, so cached JSON does not have it.
    currentOf: (hits) => Promise.resolve(hits.map(({ shown }) => ({ last_synced_at: syncedAt(shown) }))),
    membersOf: async (hits) => (facts === null ? hits.map(() => ({})) : membersOf(db, caller, hits, facts)),
    excerpts: {
      textOf({ document }) {
        const [short, long] = [document.get('short_description'), document.get('description')]
        // A large product that was read without one of them lacks it; null is a text that the product does not have.
        if (short === undefined || long === undefined) return null
        return { text: describe(short as string | null, long as string | null), title: null }
      },
      async excerptOfLong({ shown: { id }, document }, excerpts) {
        const texts = await store.findDescriptions(db, tenantId, [id], DESCRIPTION_LENGTH_MAX)
        return excerpts.of({ text: texts.get(id) ?? '', language: document.get('language') as string, passage: null })
      },
    },
  }
}

function describe(...texts: readonly (string | null)[]): string {
  const parts = texts.map((text) => text?.slice(0, DESCRIPTION_LENGTH_MAX))
  return parts.filter(Boolean).join('\n')
}

function syncedAt({ last_synced_at: at }: store.HitState): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function productsOf(db: Queries, tenantId: string): DocumentSource {
  return {
    shape: SHAPE,
    longFields: LONG_FIELDS,
    bytesOf: (ids, fields) => store.productBytes(db, tenantId, ids, fields),
    async read(ids, names) {
      if (names === null) {
        const rows = await store.findProducts(db, tenantId, ids)
        return rows.map((row) => ({
          id: row.id,
          seq: row.seq,
          document: productOf(row),
          isLasting: !changesWithTime(row),
        }))
      }
      const fields = PRODUCT_FIELDS.filter((field) => names.includes(field))
      const columns = new Set<keyof ProductRow>(['id', 'seq', ...columnsOf(fields)])
      const rows = await store.findProductColumns(db, tenantId, ids, [...columns])
      return rows.map((row) => ({ id: row.id!, seq: row.seq!, document: partOf(row, fields), isLasting: false }))
    },
  }
}

/** Finds the product to show for each hit. Leaves out products that were deleted or retired after the search. */
async function placesOf(
  db: Queries,
  tenantId: string,
  hits: readonly SearchHit[],
  asParents: boolean,
): Promise<ProductPlace[]> {
  const ids = hits.map(({ id }) => id)
  const states = byId(await store.hitStates(db, tenantId, ids))
  const parents = asParents ? [...states.values()].flatMap((state) => state.parent_product_id ?? []) : []
  const missing = [...new Set(parents)].filter((id) => !states.has(id))
  for (const state of await store.hitStates(db, tenantId, missing)) states.set(state.id, state)
  return hits.flatMap((hit) => {
    const row = states.get(hit.id)
    if (row === undefined) return []
    const parent = asParents ? states.get(row.parent_product_id ?? '') : undefined
    return [{ hit, shown: parent ?? row }]
  })
}

async function membersOf(
  db: Queries,
  caller: Caller,
  hits: readonly (ProductPlace & ExcerptedHit)[],
  facts: HitFacts,
): Promise<object[]> {
  const { id: tenantId } = caller.tenant
  const variantIds = hits.filter(({ hit, shown }) => matchedBy(hit) !== shown.id).map(({ hit }) => matchedBy(hit))
  const variants = await store.findShort(db, tenantId, variantIds)
  const explanations = facts.isExplained ? await explanationsOf(db, caller, hits, facts) : null
  return hits.map(({ hit }, i) => {
    const variant = variants.get(matchedBy(hit))
    return {
      rank: facts.offset + i + 1,
      section: 'products',
      ...(variant === undefined ? {} : { variant }),
      ...explanations?.[i],
    }
  })
}

/** Returns the id of the product that matched. */
function matchedBy({ id, matched }: SearchHit): string {
  return matched ?? id
}

async function explanationsOf(
  db: Queries,
  caller: Caller,
  hits: readonly HitPlace[],
  facts: HitFacts,
): Promise<{ readonly explanation?: ProductExplanation }[]> {
  const list: { readonly explanation?: ProductExplanation }[] = []
  const boosts = await facts.boosts
  for (let at = 0; at < hits.length; at += EXPLAINED_ROWS) {
    const piece = hits.slice(at, at + EXPLAINED_ROWS)
    const ids = [...new Set(piece.map(({ hit }) => hit.id))]
    const rows = byId(await store.findProducts(db, caller.tenant.id, ids))
    for (const { hit } of piece) {
      const row = rows.get(hit.id)
      const { explanation } = hit
      list.push(
        explanation === undefined || row === undefined
          ? {}
          : { explanation: explain(explanation, row, caller, boosts.get(row.id) ?? null, facts.effect) },
      )
    }
  }
  return list
}

function explain(
  { bm25, coverage, scaled, terms, passage, pin = 0, allWords = 0, named = 0, boost = 0, raises = [] }: HitExplanation,
  row: ProductRow,
  caller: Caller,
  clicks: ClickBoost | null,
  effect: HitFacts['effect'],
): ProductExplanation {
  const merchandising = raises.flatMap(({ index, added }) => {
    if (effect === null) return []
    const { id, name, action } = effect.raisedBy[index]
    return [{ rule_id: id, name, action: action as 'pin', added }]
  })
  return {
    bm25,
    coverage,
    vector_weight: caller.tenant.settings.productVectorWeight,
    ...(scaled === undefined ? {} : { scaled_similarity: scaled }),
    terms: [...terms],
    matched_text: passage === null ? null : (embeddingTextsOf(row)[passage.index]?.part ?? null),
    exact: pin,
    all_words: allWords,
    ...(named === 0 ? {} : { title: named }),
    clicks: clicks === null ? null : { clicks: clicks.clicks, expected_clicks: clicks.expectedClicks, added: boost },
    ...(merchandising.length === 0 ? {} : { merchandising }),
  }
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}
