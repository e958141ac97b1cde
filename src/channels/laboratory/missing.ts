import type { Caller } from '../../platform/access/caller.ts'
import { maySee } from '../../platform/access/visibility.ts'
import { Fault, referenceNotFound } from '../../platform/faults.ts'
import type { Filter } from '../../search/engine.ts'
import type { MissingAnswer, MissingQuestion } from './contract.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import type { LaboratoryParts } from './rules.ts'
import type { ModeSearch, SearchSection } from './sections.ts'

const RANKS_MAX = 1_000
const PAGE = 100
/** Parts into which a filter is cut: each condition is tried alone, but the last part has all the remaining ones. */
const CONDITIONS_MAX = 20
/** Rules that are tried together first. Only if they hide the product together, each is tried alone. */
const RULES_BATCH = 16

type Reason = Pick<MissingAnswer, 'reason'> & Partial<MissingAnswer>

/** The entry or product that a question is about. */
interface Subject {
  readonly id: string
  readonly title: string
  /** Filter that leaves the subject, and few other documents, of the index. */
  readonly among: Filter
  /** Ids of hits that show the subject: its own, and for a variant that of its parent. */
  readonly hitIds: readonly string[]
  /** The reason, where it needs no search; else null. */
  readonly reason: Reason | null
}

interface People {
  readonly caller: Caller
  /** The caller with the role and ceiling of the question, as which the search runs. */
  readonly viewer: Caller
}

/**
 * Finds out why a search does not find an entry or a product. It searches for that subject alone, first with the whole
 * question, then without one possible reason after the other. So every answer comes from the search itself.
 * Each of its searches counts for the caller's rate limit.
 * @throws Fault invalid at `id` for a subject that does not exist, or that the caller may not see; rate_limited
 */
export async function whyMissing(
  parts: LaboratoryParts,
  search: SearchSection,
  people: People,
  input: MissingQuestion,
): Promise<MissingAnswer> {
  const subject = await subjectOf(parts, people, input)
  const { id, title } = subject
  let searches = 0
  const count = (): void => {
    // The request itself paid for the first one.
    if (searches++ > 0) people.caller.countSearches?.(1)
  }
  const countedSearch: SearchSection = (...question) => {
    count()
    return search(...question)
  }
  const reason = subject.reason ?? (await reasonOf(parts, countedSearch, people, input, { ...subject, count }))
  const none = { rank: null, visibility: null, expired_at: null, relevance: null, conditions: [], rules: [] }
  return { ...none, id, title, ...reason }
}

async function subjectOf(
  { entries, products }: LaboratoryParts,
  { caller, viewer }: People,
  { section, id }: MissingQuestion,
): Promise<Subject> {
  if (section === 'knowledge') {
    const entry = await requireVisible(entries.read(caller, id), 'Entry')
    const createdMs = Date.parse(entry.created_at)
    const among: Filter = {
      all: [
        { field: 'group', anyOf: [entry.translation_group_id] },
        { number: 'created_at', above: createdMs - 1, below: createdMs, orMissing: false },
      ],
    }
    const guard = {
      visibility: entry.visibility,
      ownerId: entry.created_by_user_id,
      workspaceId: entry.workspace_id,
    }
    const expiredAt = entry.type === 'memory' ? ((entry.metadata.expires_at as string | undefined) ?? null) : null
    const isExpired = expiredAt !== null && Date.parse(expiredAt) <= Date.now()
    const reason: Reason | null = !maySee(viewer, guard)
      ? { reason: 'not_visible', visibility: entry.visibility }
      : isExpired
        ? { reason: 'expired', expired_at: expiredAt }
        : null
    return { id, title: entry.title, among, hitIds: [id], reason }
  }
  const product = await requireVisible(products.read(caller, id), 'Product')
  const head: Filter = {
    all: [
      { field: 'family', anyOf: [id] },
      { field: 'self', anyOf: ['head'] },
    ],
  }
  const among: Filter = { any: [head, { field: 'self', anyOf: [id] }] }
  const parent = product.parent_product_id
  return { id, title: product.title, among, hitIds: parent === null ? [id] : [id, parent], reason: null }
}

/** Refuses a subject that the caller may not see, like one that does not exist. */
async function requireVisible<T>(reading: Promise<T>, what: string): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found') throw referenceNotFound(['body', 'id'], what)
    throw error
  }
}

async function reasonOf(
  parts: LaboratoryParts,
  search: SearchSection,
  { caller, viewer }: People,
  input: MissingQuestion,
  { id, among, hitIds, count }: Subject & { readonly count: () => void },
): Promise<Reason> {
  const { section, query, site_id, filter, min_relevance, mode = 'hybrid' } = input
  const whole: ModeSearch = { query, site_id, filter, min_relevance, mode, limit: PAGE }
  const hitWith = async (change: Partial<ModeSearch>, isOpen = false) => {
    const place = isOpen ? { among, isOpen } : { among }
    return (await search(viewer, { ...whole, ...change }, place)).hits.find((hit) => hitIds.includes(hit.id))
  }
  if ((await hitWith({})) !== undefined) return rankOf(search, viewer, whole, hitIds)

  const bare = { site_id: null, filter: undefined, min_relevance: null }
  // An empty query for products finds all that passes the filters, without rules. For entries, `isOpen` has that effect.
  const passes = async (condition: Partial<ModeSearch>): Promise<boolean> =>
    (await hitWith({ ...bare, ...condition, query: section === 'products' ? '' : query, mode: 'keyword' }, true)) !==
    undefined
  if (!(await passes({})))
    return { reason: section === 'products' ? await hiddenProduct(parts, caller, id) : 'unknown' }

  const conditions: Reason['conditions'] = []
  for (const part of partsOf(filter)) if (!(await passes({ filter: part }))) conditions.push(part)
  if (site_id !== null && site_id !== undefined && !(await onSite(parts, caller, input, passes))) {
    conditions.push({ site_id })
  }
  if (conditions.length > 0) return { reason: 'filtered', conditions }

  if (section === 'products' && site_id !== null && site_id !== undefined) {
    const rules = await hidingRules(parts, viewer, input, { among, count })
    if (rules.length > 0) return { reason: 'hidden_by_rule', rules }
  }
  const matching = await hitWith({ min_relevance: null })
  if (matching !== undefined) return { reason: 'below_relevance', relevance: matching.relevance }
  if (mode === 'keyword') return { reason: 'no_words' }
  const isEmbedded = (await hitWith({ ...bare, mode: 'semantic' })) !== undefined
  return { reason: isEmbedded ? 'others_match_better' : 'not_embedded' }
}

/** Returns the conditions of a filter that must all hold, as the request has them; the last ones of many as one. */
function partsOf(filter: MissingQuestion['filter']): Record<string, unknown>[] {
  if (filter === undefined) return []
  const { all } = filter as { all?: unknown }
  if (!Array.isArray(all)) return [filter]
  const parts = all as Record<string, unknown>[]
  if (parts.length <= CONDITIONS_MAX) return parts
  return [...parts.slice(0, CONDITIONS_MAX - 1), { all: parts.slice(CONDITIONS_MAX - 1) }]
}

async function rankOf(
  search: SearchSection,
  viewer: Caller,
  question: ModeSearch,
  hitIds: readonly string[],
): Promise<Reason> {
  for (let offset = 0; offset < RANKS_MAX; offset += PAGE) {
    const { hits, total } = await search(viewer, { ...question, offset })
    const hit = hits.find(({ id }) => hitIds.includes(id))
    if (hit !== undefined) return { reason: 'found', rank: hit.rank }
    if (offset + PAGE >= total) break
  }
  return { reason: 'outside_first_1000' }
}

async function hiddenProduct({ products }: LaboratoryParts, caller: Caller, id: string): Promise<Reason['reason']> {
  const product = await products.read(caller, id)
  return product.is_parent && caller.tenant.settings.variantStrategy === 'children_only' ? 'variant_policy' : 'unknown'
}

/**
 * Tells whether the subject is on the site. For a product it reads the site, because rules could hide the product
 * there.
 */
async function onSite(
  { products }: LaboratoryParts,
  caller: Caller,
  { section, id, site_id }: MissingQuestion,
  passes: (condition: Partial<ModeSearch>) => Promise<boolean>,
): Promise<boolean> {
  if (section === 'knowledge') return passes({ site_id })
  return (await products.read(caller, id)).site_id === site_id
}

/**
 * Returns the rules of the site that leave the product out of this search. It tries batches of rules, and then each
 * rule of the first batch that hides the product alone, so that many rules take few searches.
 */
async function hidingRules(
  { merchandising, productSearch }: LaboratoryParts,
  viewer: Caller,
  { query, filter, mode = 'hybrid', site_id: siteId }: MissingQuestion,
  { among, count }: { readonly among: Filter; readonly count: () => void },
): Promise<MissingAnswer['rules']> {
  const shows = async (rules: Parameters<ProductSearchRules['preview']>[2]['rules']): Promise<boolean> => {
    count()
    const { hits } = await productSearch.preview(viewer, siteId!, { query, filter, mode, rules, limit: 1 }, { among })
    return hits.length > 0
  }
  if (!(await shows([]))) return []
  const all = await merchandising.list(viewer, siteId!)
  const hidingRulesOfSite = all.filter(({ action }) => action === 'hide')
  for (let i = 0; i < hidingRulesOfSite.length; i += RULES_BATCH) {
    const some = hidingRulesOfSite.slice(i, i + RULES_BATCH)
    if (await shows(some.map(ruleOf))) continue
    const hiding: { rule_id: string; name: string }[] = []
    for (const rule of some) if (!(await shows([ruleOf(rule)]))) hiding.push({ rule_id: rule.id, name: rule.name })
    return hiding
  }
  return []
}

type StoredRule = Awaited<ReturnType<LaboratoryParts['merchandising']['list']>>[number]

/** Returns a rule in the form that a preview takes. */
function ruleOf({ id: _id, site_id: _site, created_at: _made, updated_at: _changed, ...rule }: StoredRule) {
  return rule
}
