import type { JsonSchema } from './plain-schema.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Descriptions of fields, in fewer characters than those in the contracts of the API: assistants pay for each
 * character. A field without one here keeps the description of its contract.
 */
const WORDS: Readonly<Partial<Record<string, string>>> = {
  // Inputs.
  query: 'A question, or words',
  mode: 'hybrid: by meaning and by words',
  limit: 'Most results',
  offset: 'Results to skip',
  budget_characters: 'Most characters of the answer',
  entry_id: 'Id of the entry',
  product_id: 'Id of the product',
  expected_version: 'Version you read; refused if it changed since',
  include_descendants: 'With category_id: also everything below it',
  include_expired: 'Also expired memories',
  min_similarity: 'Leave out hits less similar than this, -1 to 1',
  min_relevance: 'Leave out hits less relevant than this, 0 to 1',
  typo_tolerance: 'Words that no entry has match the nearest that entries have',
  prefix: 'The last word may be unfinished',
  group_translations: 'One hit for all translations of an entry',
  full: 'Also long descriptions, attributes, properties',
  facets: 'Counts by brand, category, price and so on',
  price_min: 'Lowest price',
  price_max: 'Highest price',
  project_id: 'Only entries of this project',
  min_watermark: 'The watermark of a write whose text must be searched',
  // Entries.
  title: 'Title',
  content: 'The text, as Markdown',
  category_id: 'Id from list_categories',
  category_path: 'Names on the way to its category, outermost first',
  type: 'Kind of entry',
  visibility: 'Who may see it',
  summary: 'A sentence or two',
  layer: 'Free word that lists and searches can be restricted to',
  language: 'Code such as de or en',
  tags: 'Tags',
  search_keywords: 'Synonyms and other spellings',
  metadata: 'Facts by type: skill and process need steps, glossary term',
  translation_group_id: 'The same for all translations of an entry',
  workspace_id: 'Workspace whose members alone see it',
  source: 'How it came here',
  source_reference: 'Where it comes from, such as a path or an address',
  related_themes: 'Text to find related entries by',
  version: 'Number of its version',
  created_at: 'When it was written',
  updated_at: 'When it was changed last',
  uri: 'Address of the entry as a resource',
  url: 'Where its page is published',
  id: 'Id',
  deleted: 'Whether it is gone',
  // Answers.
  similarity: '1 the same in meaning, 0 unrelated',
  score: 'What the results are ranked by',
  relevance: 'How likely it is what was asked for, 0 to 1',
  did_you_mean: 'The query with its misspelt words corrected, if nothing was found',
  rank: 'Position among all results, from 1',
  excerpt: 'Best passage, summary or beginning, on one line',
  excerpt_of: 'What the excerpt is of',
  content_characters: 'Length of the whole content',
  search_log_id: 'Id of this search',
  behind: 'Present if the latest text of some documents was not searched: true, or for administrators how many',
  watermark: 'Names the write, for min_watermark of a search',
  degraded: 'Whether the search used words alone because embeddings were not available',
  entries: 'The entries, newest first',
  hits: 'The entries found, best first',
  products: 'The products found, best first',
  categories: 'The categories, with those below them',
  children: 'Categories below it, of the same form',
  name: 'Name',
  description: 'What it is about',
  // Products.
  site_id: 'Id or slug of a site',
  sku: 'Article number (SKU)',
  gtin: 'Barcode',
  external_id: 'Id in the shop',
  brand: 'Brand',
  category: 'Category',
  availability: 'Such as InStock',
  price_current: 'Price as decimal text, without special prices',
  price_special: 'Special price as decimal text',
  price_effective: 'What people pay now, as decimal text',
  currency: 'Currency of its prices',
  product_url: 'Its page',
  attributes: 'Its attributes',
  properties: 'Its properties',
}

/** Descriptions of the fields that restrict a list or search of entries. */
export const FILTER_WORDS = {
  tags: 'Any of these tags',
  visibility: 'Only this level',
  layer: 'Only this layer',
  site_id: 'Only entries assigned to this site',
  language: 'Only this language, such as de',
} as const

/** Describes each field of an input. @param own descriptions of fields of this tool alone */
export function inWords(schema: JsonSchema, own: Readonly<Record<string, string>>): JsonSchema {
  const words = { ...WORDS, ...own }
  return described(schema, (name, { description }) => words[name] ?? description) as JsonSchema
}

/** Describes each field of an answer that has no description of its own. */
export function withWords(schema: JsonSchema): JsonSchema {
  return described(schema, (name, { description }) => description ?? WORDS[name]) as JsonSchema
}

/** Sets the descriptions of all fields. @param wordsFor returns a description by the name and schema of a field */
function described(schema: Schema, wordsFor: (name: string, field: Schema) => unknown): Schema {
  const { properties, items } = schema
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>)
  const say = ([name, field]: readonly [string, Schema]) => {
    const description = wordsFor(name, field)
    return [name, { ...described(field, wordsFor), ...(description === undefined ? {} : { description }) }]
  }
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields.map(say)) }),
    ...(items === undefined ? {} : { items: described(items as Schema, wordsFor) }),
  }
}
