import { PAGE_LANGUAGES } from '../../../identity/users/contract.ts'
import { ROLES } from '../../../platform/access/scopes.ts'
import { ORDERED_VISIBILITIES } from '../../../platform/access/visibility.ts'
import { Category } from '../../../knowledge/categories/contract.ts'
import { collectionContracts } from '../../../knowledge/collections/contract.ts'
import { Entry, EntryCreate } from '../../../knowledge/entries/contract.ts'
import { type Check, compileCheck } from '../../../platform/contract/check.ts'
import { Product } from '../../../shop/products/contract.ts'
import { MerchandisingRule, SearchVocabulary } from '../../../shop/products/merchandising/contract.ts'
import type { RestoredProduct } from '../../../shop/products/restore.ts'
import { Site } from '../../../shop/sites/contract.ts'
import {
  DateTime,
  Flag,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../../platform/contract/schema.ts'

/**
 * Kind of the first line of an export. The lines come in this order: header, workspaces, users, categories (parents
 * first), projects, sites, each entry with its earlier versions, products, rules of sites, the search vocabulary. A
 * line refers only to lines above it, except that a variant may come before its parent.
 */
export const EXPORT_KIND = 'knowledge-export'
/** Number of the format. A change that programs of the previous format cannot restore raises it. */
export const EXPORT_FORMAT = 1

const { tenant_id: _one, ...category } = Category.properties
const { tenant_id: _two, ...collection } = collectionContracts('Project').Collection.properties
const { tenant_id: _three, embedding_model: _model, category_path: _path, ...entry } = Entry.properties
const { tenant_id: _four, ...site } = Site.properties
const { tenant_id: _five, has_similarity_anchor: _anchor, price_effective: _price, ...product } = Product.properties
const Ids = ListOf(Uuid())
const NullableText = Nullable(Type.String())

const User = Type.Object({
  id: Uuid(),
  email: Text(),
  name: Type.String(),
  role: OneOf(ROLES),
  /** Absent for the ceiling of the role, and in older exports. */
  ceiling: Type.Optional(OneOf(ORDERED_VISIBILITIES)),
  language: Type.Optional(OneOf(PAGE_LANGUAGES)),
  erased_at: Type.Optional(DateTime()),
  disabled_at: Nullable(DateTime()),
  created_at: DateTime(),
  workspaces: Ids,
})

const Version = Type.Object({
  entry_id: Uuid(),
  version: Int({ minimum: 1 }),
  visibility: Entry.properties.visibility,
  workspace_id: Nullable(Uuid()),
  updated_at: DateTime(),
  /** The entry at that version. */
  snapshot: FreeForm(),
})

const ExportedCollection = Type.Object(collection)
const ExportedCategory = Type.Object(category)
const ExportedEntry = Type.Object({
  ...entry,
  related_themes: Type.Unsafe<string | null>(EntryCreate.properties.related_themes),
  projects: Ids,
  /** Absent in exports older than sites. */
  sites: Type.Optional(Ids),
  /** To whom a skill or bootstrap is a prompt; absent for others, and in exports older than the scope for prompts. */
  prompt: Type.Optional(Type.Object({ for_others: Flag(), author_id: Nullable(Uuid()) })),
})

const ExportedSite = Type.Object(site)
const ExportedProduct = Type.Object({
  ...product,
  /** Absent in exports older than these dates. */
  price_special_from: Type.Optional(product.price_special_from),
  price_special_until: Type.Optional(product.price_special_until),
  parent_external_id: NullableText,
  similarity_text: NullableText,
  embedding_text_description: NullableText,
  embedding_text_properties: NullableText,
  embedding_text_attributes: NullableText,
  retired_at: Nullable(DateTime()),
})

export const ExportHeader = Type.Object({
  kind: OneOf([EXPORT_KIND]),
  format: Int({ minimum: 1 }),
  tenant: Type.Object({ id: Text(), name: Type.String(), settings: FreeForm() }),
})

export type ExportHeader = Static<typeof ExportHeader>
type ExportedCollection = Static<typeof ExportedCollection>
type ExportedUser = Static<typeof User>
type ExportedCategory = Static<typeof ExportedCategory>
export type ExportedEntry = Static<typeof ExportedEntry>
type ExportedSite = Static<typeof ExportedSite>
type ExportedVersion = Static<typeof Version>

/** A line below the header. */
export type ExportLine =
  | ({ readonly kind: 'workspace' | 'project' } & ExportedCollection)
  | ({ readonly kind: 'user' } & ExportedUser)
  | ({ readonly kind: 'category' } & ExportedCategory)
  | ({ readonly kind: 'entry' } & ExportedEntry)
  | ({ readonly kind: 'version' } & ExportedVersion)
  | ({ readonly kind: 'site' } & ExportedSite)
  | ({ readonly kind: 'product' } & RestoredProduct)
  | ({ readonly kind: 'merchandising_rule' } & MerchandisingRule)
  | ({ readonly kind: 'search_vocabulary' } & SearchVocabulary)

const PLACE = ['body']

/** The check for a line of each kind. */
export const LINE_CHECKS: Readonly<Record<ExportLine['kind'], Check>> = {
  workspace: compileCheck(ExportedCollection, PLACE),
  project: compileCheck(ExportedCollection, PLACE),
  user: compileCheck(User, PLACE),
  category: compileCheck(ExportedCategory, PLACE),
  entry: compileCheck(ExportedEntry, PLACE),
  version: compileCheck(Version, PLACE),
  site: compileCheck(ExportedSite, PLACE),
  product: compileCheck(ExportedProduct, PLACE),
  merchandising_rule: compileCheck(MerchandisingRule, PLACE),
  search_vocabulary: compileCheck(SearchVocabulary, PLACE),
}

export const checkHeader = compileCheck(ExportHeader, PLACE)
