import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { PAGE_BYTES_MAX } from '../../platform/database/page.ts'
import type { EntrySearchRules } from '../../knowledge/entries/search/search-rules.ts'
import { Fault, forbidden, invalid } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import type { Facet } from '../../search/request/contract.ts'
import type { LocOf } from '../../search/request/place.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import { searchedSite } from '../../shop/sites/rules.ts'
import { type CombinedAnswer, type CombinedSearch, type SectionName, SECTIONS } from './contract.ts'
import { cursorAt, offsetOf } from './cursor.ts'
import { mostBehind, type SearchFacts } from '../../search/hits/search-facts.ts'

const SCOPE_OF: Readonly<Record<SectionName, Scope>> = { products: 'products:read', knowledge: 'knowledge:read' }

/** Number of searches of one request that run at the same time. The engine answers them together. */
const TOGETHER_MAX = 4
/**
 * Words that all searches of one request may correct together in each section; each search may correct at least one.
 */
const CORRECTED_TOGETHER_MAX = 24

type Section = CombinedAnswer['sections'][number]

interface JsonAnswer extends SearchFacts {
  readonly json: Buffer
}

/** Searches products and knowledge by one request. Each section has the hits of its own search. */
export class CombinedSearchRules {
  readonly #database: Database
  readonly #entries: EntrySearchRules
  readonly #products: ProductSearchRules

  constructor(parts: { database: Database; entries: EntrySearchRules; products: ProductSearchRules }) {
    this.#database = parts.database
    this.#entries = parts.entries
    this.#products = parts.products
  }

  /**
   * Searches the sections of a request at the same time.
   * @param language preferred language in a translation group; only used with `group_translations`
   * @param correctedMax words that may be corrected; see `SearchRequest`
   * @returns the answer as JSON
   * @throws Fault forbidden when a section of the request, or every section, needs a scope that the caller lacks
   */
  async search(caller: Caller, input: CombinedSearch, language: string, correctedMax?: number): Promise<JsonAnswer> {
    const names = sectionsFor(caller, input.sections)
    caller.countSearches?.(names.length - 1)
    const siteId = await searchedSite(this.#database.queries, caller, input.site_id ?? null, 'body')
    for (const name of SECTIONS) if (!names.includes(name)) this.#checkSelection(caller, name, input)
    const logId = newId()
    const sections = await Promise.all(
      names.map(async (name) => {
        try {
          return await this.#section(caller, resolveSection(name, input, siteId, correctedMax), language, logId)
        } catch (error) {
          throw names.length === 1 ? error : ofSection(error, name)
        }
      }),
    )
    const timing: Record<string, number> = {}
    for (const { name, facts } of sections) {
      for (const [part, ms] of Object.entries(facts.timing)) timing[`${name}-${part}`] = ms
    }
    const degraded = sections.some(({ facts }) => facts.degraded)
    const isExact = sections.every(({ facts }) => facts.isExact)
    const behind = mostBehind(sections.map(({ facts }) => facts))
    return {
      json: writeAnswer(logId, sections),
      logId,
      degraded,
      isExact,
      ...(behind === undefined ? {} : { behind }),
      timing,
    }
  }

  /**
   * Runs several searches, a few at a time. Together their answers have at most the size of a page.
   * @throws Fault like `search`, at the place of the faulty search; invalid when the answers are too large together
   */
  async searchAll(
    caller: Caller,
    searches: readonly CombinedSearch[],
    language: string,
  ): Promise<{ readonly json: Buffer; readonly behind: number | undefined }> {
    caller.countSearches?.(searches.length - 1)
    const correctedMax = Math.max(1, Math.floor(CORRECTED_TOGETHER_MAX / searches.length))
    const answers: Buffer[] = []
    const facts: SearchFacts[] = []
    let bytes = 0
    for (let at = 0; at < searches.length; at += TOGETHER_MAX) {
      const some = searches.slice(at, at + TOGETHER_MAX)
      // Waiting for all makes the refusal the same each time: that of the first faulty search.
      const settled = await Promise.allSettled(some.map((each) => this.search(caller, each, language, correctedMax)))
      const written = settled.map((each, i) => {
        if (each.status === 'rejected') throw inSearch(each.reason, at + i)
        return each.value
      })
      facts.push(...written)
      for (const { json } of written) {
        answers.push(Buffer.from(answers.length === 0 ? '' : ','), json)
        bytes += json.length
      }
      if (bytes > PAGE_BYTES_MAX) {
        const msg = 'The answers together should have at most 8 MiB: choose `fields`, or ask for fewer hits'
        throw invalid(['body', 'searches'], 'answers_too_large', msg)
      }
    }
    const json = Buffer.concat([Buffer.from('{"answers":['), ...answers, Buffer.from(']}')])
    return { json, behind: mostBehind(facts) }
  }

  /** Checks the fields of a section that the request does not search, so that their faults do not appear only later. */
  #checkSelection(caller: Caller, name: SectionName, whole: CombinedSearch): void {
    const locOf: LocOf = (part) => ['body', name, part]
    const own = whole[name]
    if (own === undefined) return
    if (name === 'products') this.#products.checkSelection(caller, own, locOf)
    else this.#entries.checkSelection(caller, own, locOf)
  }

  async #section(caller: Caller, section: ResolvedSection, language: string, logId: string): Promise<SectionAnswer> {
    const { name, input, orderParts, locOf, isRich, cursorLoc, cursor } = section
    const offset = offsetOf(cursor, orderParts, cursorLoc)
    const place = { logId, locOf }
    if (name === 'products') {
      const { facets: asking, ...plain } = input
      const search = { ...plain, fields: section.fields as never, offset, facets: false, asked: asking }
      const { hits, counted, ...facts } = await this.#products.search(caller, search, place)
      const { redirect } = facts
      const rest = redirect === null ? {} : { redirect }
      const more = isRich ? pageOf(facts, hits.ids.length, counted, section, offset) : {}
      return { name, hits: hits.json(), rest: { ...rest, ...more }, facts }
    }
    const search = { ...input, fields: section.fields as never, offset }
    const { hits, facets, ...facts } = await this.#entries.search(caller, search, language, place)
    const more = isRich ? pageOf(facts, hits.ids.length, facets, section, offset) : {}
    return { name, hits: hits.json((i) => ({ rank: offset + i + 1, section: name })), rest: more, facts }
  }
}

/** Writes the answer as JSON. */
function writeAnswer(logId: string, sections: readonly SectionAnswer[]): Buffer {
  const parts = sections.flatMap(({ name, hits, rest }, i) => [
    Buffer.from(`${i === 0 ? '' : ','}{"section":${JSON.stringify(name)},"hits":`),
    hits,
    Buffer.from(Object.keys(rest).length === 0 ? '}' : `,${JSON.stringify(rest).slice(1)}`),
  ])
  return Buffer.concat([
    Buffer.from(`{"search_log_id":${JSON.stringify(logId)},"sections":[`),
    ...parts,
    Buffer.from(']}'),
  ])
}

/** Returns the members of a section that only a rich answer has. */
function pageOf(
  { total, meant }: { readonly total: number; readonly meant: string | null },
  hitCount: number,
  facets: readonly Facet[],
  { orderParts, input }: ResolvedSection,
  offset: number,
): Pick<Section, 'total' | 'facets' | 'next_cursor' | 'did_you_mean'> {
  const end = offset + hitCount
  const next_cursor = hitCount === 0 || end >= total ? null : cursorAt(end, orderParts)
  return {
    total,
    ...(input.facets === undefined ? {} : { facets: [...facets] }),
    next_cursor,
    ...(meant === null ? {} : { did_you_mean: meant }),
  }
}

/** Search of one section, with all its fields. */
interface ResolvedSection {
  readonly name: SectionName
  readonly input: {
    readonly query: string
    readonly limit: number
    readonly language: string | null
    readonly mode: 'hybrid' | 'keyword' | 'semantic'
    readonly typo_tolerance?: boolean
    readonly prefix?: boolean
    readonly correctedMax?: number
    readonly site_id: string | null
    readonly visitor_id?: string
    readonly include_category_path?: boolean
    readonly group_translations?: boolean
  } & Pick<CombinedSearch, 'filter' | 'sort' | 'facets' | 'excerpt' | 'relevance' | 'min_relevance'>
  readonly fields: readonly string[] | undefined
  readonly cursor: string | undefined
  readonly cursorLoc: readonly string[]
  readonly locOf: LocOf
  /** The parts of the search that decide the order of its hits. Its cursors are bound to them. */
  readonly orderParts: readonly unknown[]
  /** Whether the answer of the section is rich: has its total, facets and cursor besides the hits. */
  readonly isRich: boolean
}

/** Returns the search of a section: its own fields, and those of the whole search where it has none. */
function resolveSection(
  name: SectionName,
  whole: CombinedSearch,
  siteId: string | null,
  correctedMax?: number,
): ResolvedSection {
  const own = whole[name]
  const { query = '', language = null, mode = 'hybrid', typo_tolerance, prefix, visitor_id } = whole
  const reading = { typo_tolerance, prefix }
  const filter = own?.filter ?? whole.filter
  const sort = own?.sort ?? whole.sort
  const facets = own?.facets ?? whole.facets
  const excerpt = own?.excerpt ?? whole.excerpt
  const limit = own?.limit ?? whole.limit ?? 10
  const relevance = own?.relevance ?? whole.relevance
  // Null asks for hits of any relevance, whatever the whole search asks for.
  const min_relevance = own?.min_relevance === undefined ? whole.min_relevance : own.min_relevance
  const { include_category_path = false, group_translations = false } = whole.knowledge ?? {}
  const ofEntries = name === 'knowledge' ? { include_category_path, group_translations } : {}
  const parts = { filter, sort, facets, excerpt, min_relevance }
  const isRich = own !== undefined || relevance === true || Object.values(parts).some((each) => each !== undefined)
  return {
    name,
    input: {
      query,
      limit,
      language,
      mode,
      ...reading,
      correctedMax,
      site_id: siteId,
      visitor_id,
      relevance,
      ...parts,
      ...ofEntries,
    },
    fields: own?.fields,
    cursor: own?.cursor,
    cursorLoc: ['body', name, 'cursor'],
    locOf: (part) => (own?.[part] === undefined ? ['body', part] : ['body', name, part]),
    orderParts: [
      name,
      query,
      language,
      mode,
      reading,
      siteId,
      filter,
      sort,
      min_relevance,
      ofEntries.group_translations,
    ],
    isRich: isRich || whole.include_total === true,
  }
}

/** A section of the answer. */
interface SectionAnswer {
  readonly name: SectionName
  /** The list of hits as JSON. */
  readonly hits: Buffer
  /** The other members of the section. */
  readonly rest: Partial<Section>
  readonly facts: SearchFacts
}

/**
 * Returns the refusal of a section. A field of the whole search may be a fault in one section alone, so the message
 * names that section.
 */
function ofSection(error: unknown, name: SectionName): unknown {
  if (!(error instanceof Fault)) return error
  const isShared = ({ loc: [, part] }: Fault['details'][number]): boolean =>
    part === 'filter' || part === 'sort' || part === 'facets'
  if (!error.details.some(isShared)) return error
  return error.withDetails(
    error.details.map((detail) => (isShared(detail) ? { ...detail, msg: `${detail.msg} (section ${name})` } : detail)),
  )
}

/** Returns the refusal of one of several searches, with the place of that search in the list. */
function inSearch(error: unknown, index: number): unknown {
  if (!(error instanceof Fault)) return error
  const details = error.details.map((detail) => {
    const [part, ...rest] = detail.loc
    return part === 'body' ? { ...detail, loc: [part, 'searches', `${index}`, ...rest] } : detail
  })
  return error.withDetails(details)
}

/**
 * Returns the sections to search, each once, in the order of the request.
 * @param requested undefined means all sections that the caller may read
 * @throws Fault forbidden at `loc` when one of the requested sections, or every section, needs a scope the caller lacks
 */
export function sectionsFor(
  caller: Caller,
  requested: readonly SectionName[] | undefined,
  loc: readonly string[] = ['body', 'sections'],
): SectionName[] {
  const isAllowed = (name: SectionName): boolean => caller.scopes.has(SCOPE_OF[name])
  const names = [...new Set(requested ?? SECTIONS.filter(isAllowed))]
  const missing = names.length === 0 ? SECTIONS : names.filter((name) => !isAllowed(name))
  if (missing.length === 0) return names
  const scopes = missing.map((name) => SCOPE_OF[name])
  throw forbidden(loc, `The credential lacks the scope ${scopes.join(' or ')}`, scopes)
}
