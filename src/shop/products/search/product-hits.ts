/** How products are read and shown as hits. */
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
import type { Merchandised } from '../merchandising/compile.ts'
import { changesWithTime } from '../price.ts'
import { columnsOf, partOf, productOf } from '../product.ts'
import * as store from '../store.ts'
import type { ProductExplanation } from './search-contract.ts'

/** Characters of a description that are read for an excerpt, or for the spelling of a word. */
export const DESCRIPTION_LENGTH_MAX = 16_384

const SHAPE = new DocumentShape(PRODUCT_FIELDS)
const LONG_FIELDS: ReadonlySet<string> = new Set(store.TEXTS)
/** Rows that are read together for explanations. */
const EXPLAINED_ROWS = 10

/** A hit with the states of the product that matched and of the product to show. */
interface ProductPlace extends HitPlace {
  readonly shown: store.HitState
}

/** What a search knows of its hits besides. */
interface Choice {
  /** Hits before the page. */
  readonly offset: number
  readonly isExplained: boolean
  readonly boosts: ReadonlyMap<string, ClickBoost>
  /** Null where no rules apply, or where the caller may not know them. */
  readonly merchandised: Merchandised | null
}

/**
 * @param asParents whether to show the parent in place of a variant, if it exists
 * @param choice null for products near to another, whose hits have the similarity alone
 */
export function productHits(
  db: Queries,
  caller: Caller,
  asParents: boolean,
  choice: Choice | null,
): HitKind<ProductPlace> {
  const { id: tenantId } = caller.tenant
  return {
    name: 'product',
    withScore: choice !== null,
    wholeText: true,
    owner: { tenantId, model: null },
    documents: productsOf(db, tenantId),
    needed: ['language'],
    added: [],
    placesOf: (hits) => placesOf(db, tenantId, hits, asParents),
    // The time of the last sync changes without a change of the product.
    currentOf: (hits) => Promise.resolve(hits.map(({ shown }) => ({ last_synced_at: syncedAt(shown) }))),
    membersOf: async (hits) => (choice === null ? hits.map(() => ({})) : membersOf(db, caller, hits, choice)),
    excerpts: {
      textOf({ document }) {
        const [short, long] = [document.get('short_description'), document.get('description')]
        if (short === undefined && long === undefined) return null
        return { text: describe(short as string | null | undefined, long as string | null | undefined), title: null }
      },
      async excerptOfLong({ shown: { id }, document }, excerpts) {
        const texts = await store.findDescriptions(db, tenantId, [id], DESCRIPTION_LENGTH_MAX)
        return excerpts.of({ text: texts.get(id) ?? '', language: document.get('language') as string, passage: null })
      },
    },
  }
}

function describe(...texts: readonly (string | null | undefined)[]): string {
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

/** Finds the product to show for each hit. Leaves out products that were deleted or retired since. */
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
  choice: Choice,
): Promise<object[]> {
  const { id: tenantId } = caller.tenant
  const variantIds = hits.filter(({ hit, shown }) => matchedBy(hit) !== shown.id).map(({ hit }) => matchedBy(hit))
  const variants = await store.findShort(db, tenantId, variantIds)
  const explanations = choice.isExplained ? await explanationsOf(db, caller, hits, choice) : null
  return hits.map(({ hit }, i) => {
    const variant = variants.get(matchedBy(hit))
    return {
      rank: choice.offset + i + 1,
      section: 'products',
      ...(variant === undefined ? {} : { variant }),
      ...explanations?.[i],
    }
  })
}

/** The id of the product that a hit was found by. */
function matchedBy({ id, matched }: SearchHit): string {
  return matched ?? id
}

async function explanationsOf(
  db: Queries,
  caller: Caller,
  hits: readonly HitPlace[],
  choice: Choice,
): Promise<{ readonly explanation?: ProductExplanation }[]> {
  const list: { readonly explanation?: ProductExplanation }[] = []
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
          : { explanation: explain(explanation, row, caller, choice) },
      )
    }
  }
  return list
}

function explain(
  { bm25, coverage, terms, passage, pin = 0, allWords = 0, named = 0, boost = 0, raises = [] }: HitExplanation,
  row: ProductRow,
  caller: Caller,
  { boosts, merchandised }: Choice,
): ProductExplanation {
  const clicks = boosts.get(row.id) ?? null
  const moved = raises.flatMap(({ index, added }) => {
    if (merchandised === null) return []
    const { id, name, action } = merchandised.raisedBy[index]
    return [{ rule_id: id, name, action: action as 'pin', added }]
  })
  return {
    bm25,
    coverage,
    vector_weight: caller.tenant.settings.productVectorWeight,
    terms: [...terms],
    matched_text: passage === null ? null : (embeddingTextsOf(row)[passage.index]?.part ?? null),
    exact: pin,
    all_words: allWords,
    ...(named === 0 ? {} : { title: named }),
    clicks: clicks === null ? null : { clicks: clicks.clicks, expected_clicks: clicks.expectedClicks, added: boost },
    ...(moved.length === 0 ? {} : { merchandising: moved }),
  }
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}
