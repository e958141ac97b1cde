import type { components } from './schema.ts'

type Schemas = components['schemas']
type Product = Schemas['Product']
type Entry = Schemas['Entry']
type Search = Schemas['CombinedSearch']
type Section = Schemas['CombinedAnswer']['sections'][number]

/** The fields of products that a search may name; undefined where it names none. */
export type ProductFields = Readonly<Schemas['ProductSearch']['fields']>
/** The fields of entries that a search may name; undefined where it names none. */
export type EntryFields = Readonly<Schemas['EntrySearch']['fields']>

/** Fields that a publishable key does not get. A key of a server gets them too where a search names no fields. */
type PrivateOfProduct =
  | 'tenant_id'
  | 'source'
  | 'version'
  | 'sync_hash'
  | 'last_synced_at'
  | 'search_keywords'
  | 'has_similarity_anchor'
type PrivateOfEntry =
  | 'tenant_id'
  | 'visibility'
  | 'search_keywords'
  | 'metadata'
  | 'workspace_id'
  | 'source'
  | 'source_reference'
  | 'created_by_user_id'
  | 'version'
  | 'embedding_model'

/**
 * Document as a hit shows it: the fields that the search names, else all, where the private ones may be missing.
 * Of fields that are known only at run time, any may be missing. Each type of entries is looked at by itself, so that
 * `type` still tells what `metadata` has.
 */
type HitDocument<Document, Private, Fields> = Document extends unknown
  ? Fields extends readonly (infer Field)[]
    ? number extends Fields['length']
      ? Partial<Pick<Document, Field & keyof Document>>
      : Pick<Document, Field & keyof Document>
    : Omit<Document, Private & keyof Document> & Partial<Document>
  : never

/** Body of a search whose `fields` are known one by one. */
export type WithFields<Body, Fields> = Omit<Body, 'fields'> & { readonly fields?: Fields }

/** A product that was found. */
export type ProductHit<Fields = undefined> = Omit<Schemas['ProductHit'], 'product'> & {
  readonly product: HitDocument<Product, PrivateOfProduct, Fields>
}

/** Fields of the path to the category, which a hit may have whatever fields a search names. */
type CategoryFields = Partial<Pick<Entry, 'category_id' | 'category_path'>>

/** An entry that was found. */
export type EntryHit<Fields = undefined> = Omit<Schemas['EntryHit'], 'entry'> & {
  readonly entry: HitDocument<Entry, PrivateOfEntry, Fields> & CategoryFields
}

export type ProductAnswer<Fields> = Omit<Schemas['ProductSearchAnswer'], 'hits'> & {
  readonly hits: readonly ProductHit<Fields>[]
}

export type CombinedBody<OfProducts, OfEntries> = Omit<Search, 'products' | 'knowledge'> & {
  readonly products?: WithFields<NonNullable<Search['products']>, OfProducts>
  readonly knowledge?: WithFields<NonNullable<Search['knowledge']>, OfEntries>
}

export type CombinedAnswer<OfProducts, OfEntries> = Omit<Schemas['CombinedAnswer'], 'sections'> & {
  readonly sections: readonly (
    | (Omit<Extract<Section, { section: 'products' }>, 'hits'> & { readonly hits: readonly ProductHit<OfProducts>[] })
    | (Omit<Extract<Section, { section: 'knowledge' }>, 'hits'> & {
        readonly hits: readonly (EntryHit<OfEntries> & Pick<Schemas['KnowledgeHit'], 'rank' | 'section'>)[]
      })
  )[]
}

/** The names of several searches together, of which each names some; undefined where none does. */
export type AnyOf<Field> = [Field] extends [never] ? undefined : readonly Field[]
