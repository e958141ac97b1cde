import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import type { EntrySearchRules } from '../../knowledge/entries/search/search-rules.ts'
import { forbidden } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import { searchedSite } from '../../shop/sites/rules.ts'
import { type CombinedAnswer, type CombinedSearch, type SectionName, SECTIONS } from './contract.ts'
import type { SearchFacts } from '../../search/search-facts.ts'

const SCOPE_OF: Readonly<Record<SectionName, Scope>> = { products: 'products:read', knowledge: 'knowledge:read' }

type Section = CombinedAnswer['sections'][number]

/** One search over products and knowledge. Each section has the hits of its own search. */
export class CombinedSearchRules {
  readonly #database: Database
  readonly #entries: EntrySearchRules
  readonly #products: ProductSearchRules

  constructor(parts: { database: Database; entries: EntrySearchRules; products: ProductSearchRules }) {
    this.#database = parts.database
    this.#entries = parts.entries
    this.#products = parts.products
  }

  /** @throws Fault forbidden when a section asked for, or every section, needs a scope the caller lacks */
  async search(caller: Caller, input: CombinedSearch): Promise<{ answer: CombinedAnswer; facts: SearchFacts }> {
    const names = sectionsFor(caller, input.sections)
    const siteId = await searchedSite(this.#database.queries, caller, input.site_id ?? null, 'body')
    const { query, limit = 10, language = null, mode = 'hybrid', typo_tolerance, prefix, visitor_id } = input
    const asked = { query, limit, language, mode, typo_tolerance, prefix, site_id: siteId, visitor_id }
    const logId = newId()
    const found = await Promise.all(
      names.map(async (name) =>
        name === 'products' ? this.#productSection(caller, asked, logId) : this.#knowledgeSection(caller, asked, logId),
      ),
    )
    const timing: Record<string, number> = {}
    for (const { section, facts } of found) {
      for (const [part, ms] of Object.entries(facts.timing)) timing[`${section.section}-${part}`] = ms
    }
    return {
      answer: { search_log_id: logId, sections: found.map(({ section }) => section) },
      facts: { logId, degraded: found.some(({ facts }) => facts.degraded), timing },
    }
  }

  async #productSection(caller: Caller, asked: Asked, logId: string): Promise<Found> {
    const facts = await this.#products.search(caller, { ...asked, facets: false }, logId)
    return { section: { section: 'products', hits: facts.hits }, facts }
  }

  async #knowledgeSection(caller: Caller, asked: Asked, logId: string): Promise<Found> {
    const facts = await this.#entries.search(caller, asked, caller.tenant.settings.language, logId)
    const hits = facts.hits.map((hit, i) => ({ ...hit, rank: i + 1, section: 'knowledge' as const }))
    return { section: { section: 'knowledge', hits }, facts }
  }
}

interface Asked {
  readonly query: string
  readonly limit: number
  readonly language: string | null
  readonly mode: 'hybrid' | 'keyword' | 'semantic'
  readonly typo_tolerance?: boolean
  readonly prefix?: boolean
  readonly site_id: string | null
  readonly visitor_id?: string
}

interface Found {
  readonly section: Section
  readonly facts: SearchFacts
}

/**
 * The sections that a request asks for, each once, in its order; without any, those that the caller may read.
 * @throws Fault forbidden at `loc` when one of them, or every one, needs a scope the caller lacks
 */
export function sectionsFor(
  caller: Caller,
  asked: readonly SectionName[] | undefined,
  loc: readonly string[] = ['body', 'sections'],
): SectionName[] {
  const isAllowed = (name: SectionName): boolean => caller.scopes.has(SCOPE_OF[name])
  const names = [...new Set(asked ?? SECTIONS.filter(isAllowed))]
  const missing = names.length === 0 ? SECTIONS : names.filter((name) => !isAllowed(name))
  if (missing.length === 0) return names
  const scopes = missing.map((name) => SCOPE_OF[name])
  throw forbidden(loc, `The credential lacks the scope ${scopes.join(' or ')}`, scopes)
}
