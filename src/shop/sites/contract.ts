import {
  Contract,
  DateTime,
  Flag,
  FreeForm,
  Int,
  LanguageTag,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'

const SITE_TYPES = ['website', 'shop', 'app', 'intranet', 'other'] as const

const Slug = Type.String({ pattern: '^[a-z0-9-]{1,63}$', description: 'Unique in the tenant' })
const Name = Text({ maxLength: 200 })
const Domain = Nullable(Text({ maxLength: 253 }), { description: 'Domain of the site, such as shop.example.com' })
const Language = (options = {}) => LanguageTag({ minLength: 2, maxLength: 5, ...options })
const SiteType = (options = {}) => OneOf(SITE_TYPES, options)
const Platform = Nullable(Type.String({ maxLength: 100 }), { description: 'Software that the site runs on' })
const Config = FreeForm({ description: 'Any settings, at most 64 KiB as JSON' })

export const Site = Contract('Site', {
  id: Uuid(),
  tenant_id: Type.String(),
  slug: Slug,
  name: Name,
  domain: Domain,
  language: Language(),
  site_type: SiteType(),
  platform: Platform,
  config: Config,
  is_default: Flag({ description: 'True for exactly one site of the tenant' }),
  created_at: DateTime(),
})
export type Site = Static<typeof Site>

export const SiteCreate = Contract('SiteCreate', {
  slug: Slug,
  name: Name,
  domain: Type.Optional(Domain),
  language: Type.Optional(Language({ description: "Default: the tenant's language" })),
  site_type: Type.Optional(SiteType({ default: 'website' })),
  platform: Type.Optional(Platform),
  config: Type.Optional(Config),
  is_default: Type.Optional(
    Flag({ default: false, description: 'True makes this the default site in place of the present one' }),
  ),
})
export type SiteCreate = Static<typeof SiteCreate>

export const SiteUpdate = Contract('SiteUpdate', {
  slug: Type.Optional(Slug),
  name: Type.Optional(Name),
  domain: Type.Optional(Domain),
  language: Type.Optional(Language()),
  site_type: Type.Optional(SiteType()),
  platform: Type.Optional(Platform),
  config: Type.Optional(Config),
  is_default: Type.Optional(
    Flag({ description: 'True makes this the default site. False is refused for the default site' }),
  ),
})
export type SiteUpdate = Static<typeof SiteUpdate>

export const SiteKnowledge = Contract('SiteKnowledge', { entry_ids: ListOf(Uuid(), { minItems: 1, maxItems: 500 }) })

export const SiteKnowledgeChange = Contract('SiteKnowledgeChange', {
  site_id: Uuid(),
  added: Type.Optional(Int({ minimum: 0, description: 'This field and those below need knowledge:read' })),
  removed: Type.Optional(Int({ minimum: 0 })),
  total: Type.Optional(Int({ minimum: 0, description: 'Entries of the site now, as far as the caller may see them' })),
})
export type SiteKnowledgeChange = Static<typeof SiteKnowledgeChange>
