import type { Database } from '../../../platform/database/database.ts'
import { listChanges } from '../../../platform/database/listed-changes.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { decodeVectors } from '../../../embedding/vector-codec.ts'
import { type ChangeReader, changeBatches } from '../../../search/change-batches.ts'
import type { IndexChange, IndexDefinition, IndexDocument, IndexSource, IndexVersion } from '../../../search/engine.ts'
import { embeddingTextsOf, linesOf } from './embedding-texts.ts'
import { FILTER_LENGTH_MAX } from '../search/filter-length.ts'
import { normalIdentifier } from '../search/identifiers.ts'
import { priceNumbers } from '../price.ts'
import { parseList, parseObject } from '../product.ts'

/** Products as search sees them. A passage is an embedding text; `embeddingTextsOf` tells which. */
export const PRODUCT_INDEX: IndexDefinition = {
  name: 'products',
  textFields: { title: 4, brand: 2, keywords: 2, category: 1.5, identifiers: 2, properties: 1, description: 1 },
  keyFields: ['site', 'brand', 'category', 'availability', 'language', 'identifier', 'variant', 'family'],
  numberFields: ['price', 'special', 'special_from', 'special_until', 'rating'],
  facetFields: ['site', 'brand', 'category', 'availability', 'language'],
}

type ChangedRow = ProductRow & { vectors: Buffer | null }

/** Reads a tenant's changed products and tombstones, oldest change first; a retired product is gone. */
export function productIndexSource(database: Database): IndexSource {
  return {
    definition: PRODUCT_INDEX,
    changes: (version, after) => changeBatches(readerOf(database, version), after),
  }
}

const TABLES = {
  documents: 'products',
  vectors: 'product_vectors',
  tombstones: 'product_tombstones',
  idColumn: 'product_id',
  longColumns: ['description', 'properties', 'attributes', 'search_keywords'],
}

function readerOf(database: Database, version: IndexVersion): ChangeReader {
  return {
    list: (after, limit) => listChanges(database, version, TABLES, { after, limit }),
    async read(ids, last) {
      return (await changedRows(database, version, ids, last)).map(changeOf)
    },
  }
}

function changedRows(
  { queries, portable }: Database,
  version: IndexVersion,
  ids: readonly string[],
  last: number,
): Promise<ChangedRow[]> {
  return queries
    .selectFrom('products as p')
    .leftJoin('product_vectors as v', (join) =>
      join
        .onRef('v.tenant_id', '=', 'p.tenant_id')
        .onRef('v.product_id', '=', 'p.id')
        .on('v.model', '=', version.model ?? ''),
    )
    .selectAll('p')
    .select('v.vectors')
    .where('p.tenant_id', '=', version.tenantId)
    .where((eb) => portable.isOneOf(eb.ref('p.id'), ids))
    .where('p.seq', '<=', last)
    .execute()
}

function changeOf(row: ChangedRow): IndexChange {
  if (row.retired_at !== null) return { seq: row.seq, remove: row.id }
  try {
    return { seq: row.seq, put: documentOf(row) }
  } catch {
    return { seq: row.seq, unreadable: row.id }
  }
}

function documentOf(row: ChangedRow): IndexDocument {
  const identifiers = [row.external_id, row.sku, row.gtin].filter((id) => id !== null && id !== '') as string[]
  return {
    id: row.id,
    language: row.language,
    changedAt: row.updated_at,
    group: familyOf(row),
    text: {
      title: [row.title],
      brand: present(row.brand),
      keywords: parseList(row.search_keywords),
      category: present(row.category),
      identifiers,
      properties: [...linesOf(parseObject(row.properties)), ...linesOf(parseObject(row.attributes))],
      description: [...present(row.short_description), ...present(row.description)],
    },
    keys: {
      site: [row.site_id],
      brand: present(row.brand),
      category: present(row.category).filter(isFilterable),
      availability: present(row.availability),
      language: [row.language],
      identifier: [...new Set(identifiers.map(normalIdentifier))].filter((id) => id !== ''),
      variant: [row.is_parent === 1 ? 'parent' : row.is_variant === 1 ? 'variant' : 'single'],
      family: [familyOf(row)],
    },
    numbers: { ...priceNumbers(row), rating: numberOf(row.rating_average) },
    passages: passagesOf(row),
  }
}

/** A product and its variants are a family, named by the parent's id. */
function familyOf(row: Pick<ProductRow, 'id' | 'parent_product_id'>): string {
  return row.parent_product_id ?? row.id
}

function passagesOf(row: ChangedRow): IndexDocument['passages'] {
  if (row.vectors === null) return []
  const vectors = decodeVectors(row.vectors, embeddingTextsOf(row).length)
  return vectors.map((vector) => ({ vector, start: 0, end: 0 }))
}

/** What no filter can ask for is no value to count either; answers with such values would have no bound. */
function isFilterable(value: string): boolean {
  return (
    value.length <= FILTER_LENGTH_MAX ||
    Array.from(value.slice(0, 2 * FILTER_LENGTH_MAX + 1)).length <= FILTER_LENGTH_MAX
  )
}

const present = (text: string | null): string[] => (text === null || text === '' ? [] : [text])
const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal))
