import { VISIBILITIES } from '../../platform/access/visibility.ts'
import { VisitorId } from '../../insights/analytics/contract.ts'
import { HitRelevance, RelevanceFields, ScaledSimilarity } from '../../search/request/relevance-contract.ts'
import { bulkResult } from '../../platform/lines/bulk-result.ts'
import { SearchFilter, SearchSort } from '../../search/request/contract.ts'
import { Excerpt, ExcerptOptions } from '../../search/excerpts/contract.ts'
import { PageQuery } from '../../platform/contract/paging.ts'
import {
  Contract,
  DateTime,
  Flag,
  FreeForm,
  Int,
  LanguageFilter,
  LanguageTag,
  ListOf,
  Nullable,
  Num,
  OneOf,
  PartOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { CATEGORY_PATH_MAX } from '../categories/contract.ts'
import { ENTRY_SOURCES, ENTRY_TYPES } from './kinds.ts'
import { NEW_METADATA, STORED_METADATA } from './metadata/variants.ts'

const Visibility = (options = {}) => OneOf(VISIBILITIES, options)
const EntryTypeField = (options = {}) => OneOf(ENTRY_TYPES, options)
const Source = (options = {}) => OneOf(ENTRY_SOURCES, options)

const Title = Text({ maxLength: 500 })
const Content = Text({ maxLength: 1_000_000 })
const Summary = Nullable(Type.String({ maxLength: 5_000 }))
const Layer = Nullable(Type.String({ maxLength: 50 }))
const Language = (options = {}) => LanguageTag({ minLength: 2, maxLength: 5, ...options })
const Tags = ListOf(Text({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Duplicates are removed. The order is kept',
})
const SearchKeywords = ListOf(Text({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Other spellings and synonyms. They boost keyword matches',
})
const SourceReference = Nullable(Type.String({ maxLength: 1_000 }), {
  description: 'Where the entry comes from, such as a path or an address',
})
const Url = Type.String({
  format: 'uri',
  maxLength: 2_000,
  description: 'Where its page is published, an http or https address. Absent where it is not known',
})
const RelatedThemes = Nullable(Type.String({ maxLength: 2_000 }), {
  description: 'Text to find related entries by: tags, layer and topic words. Responses never include it',
})
const Metadata = FreeForm({ description: "Validated against the schema of the entry's type" })
const CategoryPath = ListOf(Type.String(), {
  description: 'Names on the way to the category, outermost first; only with `include_category_path`',
})
const IncludeCategoryPath = Type.Optional(
  Flag({ default: false, description: 'Answer `category_path` with each entry' }),
)

export const Entry = Contract(
  'Entry',
  {
    id: Uuid(),
    tenant_id: Type.String(),
    type: EntryTypeField(),
    title: Title,
    content: Content,
    summary: Summary,
    category_id: Uuid(),
    visibility: Visibility(),
    layer: Layer,
    language: Language(),
    tags: Tags,
    search_keywords: SearchKeywords,
    metadata: Metadata,
    translation_group_id: Uuid(),
    workspace_id: Nullable(Uuid()),
    source: Source(),
    source_reference: SourceReference,
    created_by_user_id: Nullable(Uuid()),
    version: Int({ minimum: 1 }),
    embedding_model: Nullable(Type.String(), { description: 'Null until the entry has vectors of the current model' }),
    created_at: DateTime(),
    updated_at: DateTime(),
    url: Type.Optional(Url),
    category_path: Type.Optional(CategoryPath),
  },
  { 'x-variants': STORED_METADATA },
)
export type Entry = Static<typeof Entry>

export const EntryQuery = Type.Object({ include_category_path: IncludeCategoryPath })
export type EntryQuery = Static<typeof EntryQuery>

export const EntryCreate = Contract(
  'EntryCreate',
  {
    title: Title,
    content: Content,
    category_id: Uuid(),
    type: Type.Optional(EntryTypeField({ default: 'knowledge' })),
    visibility: Type.Optional(
      Visibility({ default: 'internal', description: '`personal` is refused. Use the endpoint for personal entries' }),
    ),
    summary: Type.Optional(Summary),
    layer: Type.Optional(Layer),
    language: Type.Optional(
      Language({ description: "Default: the language of the text, or the tenant's if the text does not tell" }),
    ),
    tags: Type.Optional(Tags),
    search_keywords: Type.Optional(SearchKeywords),
    metadata: Type.Optional(Metadata),
    translation_group_id: Type.Optional(
      Uuid({ description: 'Links the entry to its translations. Default: a new group' }),
    ),
    workspace_id: Type.Optional(Nullable(Uuid())),
    source: Type.Optional(Source({ default: 'manual' })),
    source_reference: Type.Optional(SourceReference),
    url: Type.Optional(Nullable(Url, { description: 'Where its page is published, an http or https address' })),
    related_themes: Type.Optional(RelatedThemes),
  },
  { 'x-variants': NEW_METADATA },
)
export type EntryCreate = Static<typeof EntryCreate>

export const PersonalEntryCreate = Contract('PersonalEntryCreate', {
  title: Title,
  content: Content,
  category_id: Uuid(),
  summary: Type.Optional(Summary),
  layer: Type.Optional(Layer),
  tags: Type.Optional(Tags),
  language: Type.Optional(Language({ default: 'de' })),
  metadata: Type.Optional(Metadata),
  source: Type.Optional(Source({ default: 'manual' })),
  source_reference: Type.Optional(SourceReference),
})
export type PersonalEntryCreate = Static<typeof PersonalEntryCreate>

export const EntryUpdate = Contract('EntryUpdate', {
  title: Type.Optional(Title),
  content: Type.Optional(Content),
  category_id: Type.Optional(Uuid()),
  visibility: Type.Optional(Visibility()),
  summary: Type.Optional(Summary),
  layer: Type.Optional(Layer),
  language: Type.Optional(Language()),
  tags: Type.Optional(Tags),
  search_keywords: Type.Optional(SearchKeywords),
  metadata: Type.Optional(Metadata),
  translation_group_id: Type.Optional(Uuid()),
  workspace_id: Type.Optional(Nullable(Uuid())),
  source: Type.Optional(Source()),
  source_reference: Type.Optional(SourceReference),
  url: Type.Optional(Nullable(Url, { description: 'Null removes it' })),
  related_themes: Type.Optional(RelatedThemes),
  type: Type.Optional(Type.Unknown({ description: 'Refused: the type of an entry never changes' })),
})
export type EntryUpdate = Static<typeof EntryUpdate>

/** Filters of a list of entries. */
const listFilters = {
  category_id: Type.Optional(Uuid()),
  type: Type.Optional(EntryTypeField()),
  project_id: Type.Optional(Uuid()),
  site_id: Type.Optional(Uuid({ description: 'Only entries assigned to this site' })),
  visibility: Type.Optional(Visibility()),
  layer: Type.Optional(Type.String()),
  tag: Type.Optional(
    ListOf(Type.String(), { maxItems: 100, description: 'May be repeated: entries with any of the tags' }),
  ),
  language: Type.Optional(LanguageFilter()),
  source: Type.Optional(Source()),
  source_reference: Type.Optional(Type.String({ maxLength: 1_000 })),
  include_expired: Type.Optional(Flag({ default: false, description: 'Include memory entries that have expired' })),
}

export const EntryListQuery = Type.Object({
  ...listFilters,
  include_category_path: IncludeCategoryPath,
  include_total: Type.Optional(Flag({ default: false, description: 'Answer X-Total-Count' })),
  ...PageQuery.properties,
})
export type EntryListQuery = Static<typeof EntryListQuery>

export const EntryFilter = Type.Object(listFilters, {
  description: 'The filters of the list, at least one',
  additionalProperties: false,
})
export type EntryFilter = Static<typeof EntryFilter>

export const EntrySourceQuery = Type.Object({
  source_reference: Type.String({ maxLength: 1_000 }),
  source: Type.Optional(Source({ description: 'Absent: any' })),
})
export type EntrySourceQuery = Static<typeof EntrySourceQuery>

/** Entries to delete, by id or by filter. Unknown fields are refused: a misspelt filter would delete too many. */
export const EntryBulkDelete = Type.Object(
  {
    entry_ids: Type.Optional(ListOf(Uuid(), { minItems: 1, maxItems: 500, description: 'Instead of `filter`' })),
    filter: Type.Optional(EntryFilter),
    dry_run: Type.Optional(Flag({ default: false, description: 'Delete nothing, only say how many' })),
  },
  { $id: 'EntryBulkDelete', additionalProperties: false, description: 'Unknown fields are refused' },
)
export type EntryBulkDelete = Static<typeof EntryBulkDelete>

export const EntryBulkDeleted = Contract('EntryBulkDeleted', {
  dry_run: Flag(),
  matched: Int({ minimum: 0, description: 'Entries that `entry_ids` names or `filter` finds' }),
  deleted: Int({ minimum: 0 }),
  remaining: Int({ minimum: 0, description: 'Found but not deleted yet: send the request again' }),
})
export type EntryBulkDeleted = Static<typeof EntryBulkDeleted>

export const ENTRY_FIELDS = Object.keys(Entry.properties).filter((name) => name !== 'category_path') as Exclude<
  keyof Entry,
  'category_path'
>[]

/** The fields that an entry has in a hit. */
export const EntryFields = ListOf(OneOf(ENTRY_FIELDS), {
  minItems: 1,
  maxItems: 50,
  description:
    'Fields of the entry in each hit. Default: all. A publishable key may ask only for public fields, and they are ' +
    'its default. `include_category_path` adds `category_path` and `category_id`',
})

export const EntrySearch = Contract(
  'EntrySearch',
  {
    query: Text({ maxLength: 2_000 }),
    limit: Type.Optional(
      Int({
        minimum: 1,
        maximum: 100,
        default: 10,
        description:
          'A page ends early once its text or its JSON reaches about 8 MiB. Add the number of its hits to `offset` ' +
          'for more',
      }),
    ),
    min_similarity: Type.Optional(
      Nullable(Num({ minimum: -1, maximum: 1 }), {
        description:
          'Hits below it are dropped, in every mode; a search in keyword mode waits for a provider of embeddings only ' +
          'with it. While the provider is away, it has no effect',
      }),
    ),
    category_id: Type.Optional(Nullable(Uuid())),
    include_descendants: Type.Optional(Flag({ default: false, description: 'With category_id: its whole subtree' })),
    type: Type.Optional(Nullable(EntryTypeField())),
    project_id: Type.Optional(Nullable(Uuid())),
    site_id: Type.Optional(Nullable(Uuid(), { description: 'Only entries assigned to this site' })),
    visibility: Type.Optional(
      Nullable(Visibility(), { description: 'Only this level, among the entries the caller may see' }),
    ),
    layer: Type.Optional(Nullable(Type.String())),
    tags: Type.Optional(
      Nullable(ListOf(Type.String(), { maxItems: 100 }), {
        description: 'Entries with any of the tags. An empty list does not filter',
      }),
    ),
    language: Type.Optional(Nullable(LanguageFilter())),
    mode: Type.Optional(OneOf(['semantic', 'keyword', 'hybrid'], { default: 'semantic' })),
    typo_tolerance: Type.Optional(
      Flag({
        default: false,
        description: 'A word that no entry has is replaced by the most similar words of entries. Not in semantic mode',
      }),
    ),
    prefix: Type.Optional(
      Flag({
        default: false,
        description:
          'The last word, while it is being typed, also stands for words that begin with it. Not in semantic mode',
      }),
    ),
    offset: Type.Optional(Int({ minimum: 0, maximum: 1_000, default: 0 })),
    group_translations: Type.Optional(
      Flag({ default: false, description: "One hit per translation group, the caller's language first" }),
    ),
    include_category_path: IncludeCategoryPath,
    ...RelevanceFields(),
    explain: Type.Optional(
      Flag({ default: false, description: 'What each part contributed and which passage matched' }),
    ),
    filter: Type.Optional(SearchFilter),
    sort: Type.Optional(SearchSort),
    fields: Type.Optional(EntryFields),
    excerpt: Type.Optional(ExcerptOptions),
    visitor_id: VisitorId(),
  },
  { examples: [{ query: 'connect an assistant', mode: 'hybrid', limit: 3 }] },
)
export type EntrySearch = Static<typeof EntrySearch>

export const Explanation = Contract('Explanation', {
  bm25: Num(),
  coverage: Nullable(Num(), { description: "Share of the query's words that the entry has, by weight, 0 to 1" }),
  vector_weight: Num({
    description: "Weight of the similarity in the hybrid score: the tenant's weight times a factor for the query",
  }),
  scaled_similarity: ScaledSimilarity(),
  instead_of_coverage: Type.Optional(
    Num({
      description:
        'What the similarity counts in place of coverage, where that is more: in an entry in another language than the ' +
        'query, and with a model that reads sentences wherever entries have several languages',
    }),
  ),
  title: Type.Optional(Num({ description: 'Added to the score, because the query is the title' })),
  terms: ListOf(
    Type.Object({
      term: Type.String(),
      idf: Num(),
      frequency: Num(),
      score: Num(),
      typed: Type.Optional(
        Type.String({ description: 'The word of the query that the term replaces, if they differ' }),
      ),
    }),
  ),
  passage: Type.Union([
    Type.Object(
      { index: Int(), start: Int(), end: Int(), text: Type.String() },
      { description: 'UTF-16 offsets into the content' },
    ),
    Type.Null(),
  ]),
})

export type Explanation = Static<typeof Explanation>

const EntryInHit = PartOf('EntryInHit', Entry, {
  description:
    'Has the fields that `fields` names, and with `include_category_path` also `category_path` and `category_id`. ' +
    'Without `fields` it has all, or for a publishable key the public ones. `url` is absent where it is not known',
})

export const EntryHit = Contract('EntryHit', {
  entry: EntryInHit,
  similarity: Num({
    description:
      '1 minus cosine distance: 1 identical, 0 unrelated, -1 opposite. 0 where nothing was compared: before the entry ' +
      'has vectors, while the provider of embeddings is away, and in keyword mode with a model that ' +
      'takes time to answer, unless `min_similarity` is set',
  }),
  score: Type.Optional(Num({ description: 'Keyword and hybrid search rank by it' })),
  relevance: HitRelevance(),
  excerpt: Type.Optional(Excerpt),
  explanation: Type.Optional(Explanation),
})

export const RelatedEntry = Contract('RelatedEntry', {
  entry: Entry,
  similarity: EntryHit.properties.similarity,
})
export type RelatedEntry = Static<typeof RelatedEntry>

/** Entry as a suggestion while a person types a query. */
export const SuggestedEntry = Type.Object({
  id: Uuid(),
  title: Title,
  type: EntryTypeField(),
  language: Language(),
  category_id: Uuid(),
})

export const EntryVersionSummary = Contract('EntryVersionSummary', {
  version: Int({ minimum: 1 }),
  title: Type.String(),
  visibility: Visibility(),
  updated_at: DateTime(),
})

export type EntryVersionSummary = Static<typeof EntryVersionSummary>

export const RelatedQuery = Type.Object({ limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 10 })) })

export const EntryBulkQuery = Type.Object({
  dry_run: Type.Optional(Flag({ default: false, description: 'Store nothing, only say what would happen' })),
})

/**
 * Line of an import. Its visibility and source have no defaults here: the rules set them later, and a replaced entry
 * keeps its visibility.
 */
export const BulkLine = Contract(
  'EntryBulkLine',
  {
    ...EntryCreate.properties,
    category_id: Type.Optional(Uuid({ description: 'Required without `category`, and counts if both are given' })),
    category: Type.Optional(
      Text({
        maxLength: CATEGORY_PATH_MAX,
        description:
          'Way to the category in place of its id, such as `Manuals / Printers`. Categories on the way that do not ' +
          'exist are created, which needs `categories:write`',
      }),
    ),
    visibility: Type.Optional(
      Visibility({ description: 'Absent: internal for a new entry, unchanged for one it replaces' }),
    ),
    source: Type.Optional(Source({ description: 'Absent: import' })),
    url: Type.Optional(
      Nullable(Url, { description: 'Where its page is published. Absent: unchanged for an entry it replaces' }),
    ),
  },
  { 'x-variants': NEW_METADATA },
)

export type BulkEntry = Static<typeof BulkLine>

const reference = { source_reference: Type.Optional(Nullable(Type.String({ description: 'As the line has it' }))) }
/** Answer to a line: `stored` for a caller without `knowledge:read`, and `restored` for an entry from the bin. */
export const BulkResult = bulkResult('EntryBulkResult', reference, {
  more: ['restored', 'stored'],
  absentId:
    'Absent when the line failed, when a dry run would create the entry, and when the id would reveal what is stored',
})
