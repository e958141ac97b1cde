/** Filters, pins, hits and spelling of the search of entries; `SectionSearch` does the rest. */
import type { Caller } from '../../../platform/access/caller.ts'
import { maySearchSite } from '../../../platform/access/bound-sites.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import { languageKey } from '../../../platform/contract/language.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { referenceNotFound } from '../../../platform/faults.ts'
import { titleKeysOf } from '../../../search/analysis/analysis.ts'
import type { Filter, SearchAnswer, SearchRequest } from '../../../search/engine.ts'
import { isRelevant } from '../../../search/hits/relevance-request.ts'
import type { CompiledFilter } from '../../../search/request/filter.ts'
import { OPEN } from '../../../search/request/place.ts'
import { searchFieldsFor } from '../../../search/request/public-fields.ts'
import { visibleFilter } from '../../../search/request/visible-filter.ts'
import type { SectionKind, SectionPlan } from '../../../search/sections/section-search.ts'
import type { SpellingSource } from '../../../search/suggest/did-you-mean.ts'
import type { CategoryRules } from '../../categories/rules.ts'
import type { EntrySearch } from '../contract.ts'
import { guardOf } from '../entry.ts'
import { ENTRY_INDEX } from '../indexing/index-source.ts'
import * as store from '../store.ts'
import { requireFilterIds, requireRestrictions } from '../writes/references.ts'
import { ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS } from './entry-fields.ts'
import { entryHits } from './entry-hits.ts'

/** Search of entries within a search of several sections. */
export interface RichEntrySearch extends EntrySearch {
  /** Facets; see `SearchFacets`. */
  readonly facets?: readonly unknown[]
  /** Most words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

export interface EntryPlan extends SectionPlan {
  /** Preferred language in a translation group; only used with `group_translations`. */
  readonly language: string
}

/** Code points of a content that a search of the right spelling of a misspelt word reads. */
const BEGINNING_LENGTH_MAX = 16_384

/**
 * Makes the section of entries for `SectionSearch`. Its options are the preferred language, which decides the entry
 * that a group of translations shows.
 */
export function entrySection(
  database: Database,
  categories: CategoryRules,
): SectionKind<RichEntrySearch, EntryPlan, string> {
  const { queries } = database
  return {
    section: 'knowledge',
    index: ENTRY_INDEX,
    modeDefault: 'semantic',
    // Words rank the hits, so no search waits for a provider but one that drops hits by their similarity.
    keywordVectorFrom: ({ min_similarity: min = null }) => (min === null ? 'at once' : 'any'),
    publicFields: PUBLIC_ENTRY_FIELDS,
    fieldsOf: (caller) => searchFieldsFor(caller, ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS),
    facetsOf: ({ facets = [] }) => facets,
    plan: (_caller, { query, site_id: siteId = null }, _question, language) =>
      Promise.resolve({ query, siteId, language }),
    async requestOf(caller, input, { typed, mode, filter, place }, { language }) {
      const [own] = await Promise.all([
        filterOf(queries, categories, caller, input),
        completeFilter(queries, categories, caller, filter),
      ])
      return {
        visible: visibleFilter(caller),
        filter: own,
        vectorWeight: caller.tenant.settings.vectorWeight,
        byQuery: true,
        minSimilarity: input.min_similarity ?? null,
        groups: input.group_translations ? { prefer: { field: 'language', anyOf: [languageKey(language)] } } : null,
        fuzzy: input.typo_tolerance ?? false,
        ...(typed === '' || mode === 'semantic' ? {} : pinOf(caller, input.query)),
        ...(place.isOpen === true ? { raises: OPEN } : {}),
        ...(input.excerpt === undefined ? {} : { passages: true }),
      }
    },
    isMissed: findsNothing,
    spellingFor: (caller) => spellingFor(queries, caller),
    hitsFor: (caller, searched) =>
      entryHits(queries, caller, searched === null ? null : { ...searched.input, mode: searched.mode }),
    // Analytics lists the queries without relevant hits as queries without hits.
    loggedAs: ({ answer, input }, shown) => ({ query: input.query, hits: findsNothing(answer, input) ? 0 : shown }),
  }
}

async function filterOf(
  db: Queries,
  categories: CategoryRules,
  caller: Caller,
  input: RichEntrySearch,
): Promise<Filter> {
  await requireRestrictions(db, caller.tenant.id, input, 'body')
  if (!maySearchSite(caller, input.site_id ?? null)) throw referenceNotFound(['body', 'site_id'], 'Site')
  const all: Filter[] = [notExpired()]
  const equals = (field: string, value: string | null | undefined): void => {
    if (value !== null && value !== undefined) all.push({ field, anyOf: [value] })
  }
  if (input.category_id && input.include_descendants) {
    all.push({ field: 'category', anyOf: await categories.subtree(caller, input.category_id) })
  } else {
    equals('category', input.category_id)
  }
  equals('type', input.type)
  equals('project', input.project_id)
  equals('site', input.site_id)
  equals('visibility', input.visibility)
  equals('layer', input.layer)
  equals('language', input.language ? languageKey(input.language) : null)
  if (input.tags && input.tags.length > 0) all.push({ field: 'tag', anyOf: input.tags })
  return { all }
}

/**
 * Puts the categories of the subtrees that a compiled filter names into the filter.
 * @throws Fault invalid at each id in the filter that does not exist
 */
async function completeFilter(
  db: Queries,
  categories: CategoryRules,
  caller: Caller,
  { ids, subtrees }: CompiledFilter,
): Promise<void> {
  await requireFilterIds(db, caller.tenant.id, ids)
  const subtreesById = new Map<string, readonly string[]>()
  for (const { id } of subtrees) {
    if (!subtreesById.has(id)) subtreesById.set(id, await categories.subtree(caller, id))
  }
  // One push per category: a tree can have more categories than a call takes arguments.
  for (const { id, into } of subtrees) for (const below of subtreesById.get(id)!) into.push(below)
}

function spellingFor(db: Queries, caller: Caller): SpellingSource {
  const { id: tenantId } = caller.tenant
  const visibleTitles = async (ids: readonly string[]) =>
    (await store.findTitles(db, tenantId, ids)).filter((row) => maySee(caller, guardOf(row)))
  return {
    titlesOf: async (ids) => new Map((await visibleTitles(ids)).map(({ id, title }) => [id, title])),
    textsOf: async (ids) => {
      const visible = (await visibleTitles(ids)).map(({ id }) => id)
      return store.findBeginnings(db, tenantId, visible, BEGINNING_LENGTH_MAX)
    },
  }
}

/** Tells whether a search has no hit, or, on its first page by relevance, only hits that match by chance. */
function findsNothing({ total, hits }: SearchAnswer, { sort, offset = 0 }: RichEntrySearch): boolean {
  return total === 0 || (offset === 0 && sort === undefined && hits.length > 0 && !hits.some(isRelevant))
}

/** Returns the pin that raises entries whose title is the query above all others. */
function pinOf(caller: Caller, query: string): Pick<SearchRequest, 'pin'> {
  const anyOf = titleKeysOf(query)
  if (anyOf.length === 0) return {}
  // The bonus exceeds the sum of coverage and cosine, with a margin for the weight that a query gives the cosine.
  return { pin: { filter: { field: 'title', anyOf }, bonus: 1 + 4 * caller.tenant.settings.vectorWeight } }
}

/** Returns the filter of entries that have not expired. */
export function notExpired(): Filter {
  return { number: 'expires_at', above: Date.now(), below: null, orMissing: true }
}
