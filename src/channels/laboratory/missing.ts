import type { Caller } from '../../platform/access/caller.ts'
import { maySee } from '../../platform/access/visibility.ts'
import { Fault, referenceNotFound } from '../../platform/faults.ts'
import type { Filter } from '../../search/engine.ts'
import type { MissingAnswer, MissingQuestion } from './contract.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import type { LaboratoryParts } from './rules.ts'
import type { Asked, SearchSection } from './sections.ts'

const RANKS_MAX = 1_000
const PAGE = 100
/** Conditions of a filter that are tried alone; those from this one on are tried as one. */
const CONDITIONS_MAX = 20
/** Rules that are tried together, to find out whether each of them has to be tried. */
const RULES_TOGETHER = 16

type Reason = Pick<MissingAnswer, 'reason'> & Partial<MissingAnswer>

/** The one thing that a question is about. */
interface Subject {
  readonly id: string
  readonly title: string
  /** Finds it, and few others, in the index. */
  readonly among: Filter
  /** Ids under which a hit may show it. */
  readonly shownAs: readonly string[]
  /** A reason that needs no search. */
  readonly reason: Reason | null
}

interface People {
  readonly caller: Caller
  /** Through whose eyes the search looks. */
  readonly viewer: Caller
}

/**
 * Why a search does not find an entry or a product. It searches for that one alone, first as asked, then with less and
 * less of what may leave it out, so every answer comes from the search itself.
 * Each of its searches counts like one that is asked for.
 * @throws Fault invalid at `id` for what does not exist, or what the caller may not see; rate_limited
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
  const counted: SearchSection = (...asked) => {
    count()
    return search(...asked)
  }
  const reason = subject.reason ?? (await reasonOf(parts, counted, people, input, { ...subject, count }))
  const none = { rank: null, visibility: null, expired_at: null, relevance: null, conditions: [], rules: [] }
  return { ...none, id, title, ...reason }
}

async function subjectOf(
  { entries, products }: LaboratoryParts,
  { caller, viewer }: People,
  { section, id }: MissingQuestion,
): Promise<Subject> {
  if (section === 'knowledge') {
    const entry = await known(entries.read(caller, id), 'Entry')
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
    return { id, title: entry.title, among, shownAs: [id], reason }
  }
  const product = await known(products.read(caller, id), 'Product')
  const head: Filter = {
    all: [
      { field: 'family', anyOf: [id] },
      { field: 'self', anyOf: ['head'] },
    ],
  }
  const among: Filter = { any: [head, { field: 'self', anyOf: [id] }] }
  const parent = product.parent_product_id
  return { id, title: product.title, among, shownAs: parent === null ? [id] : [id, parent], reason: null }
}

/** What cannot be seen is refused like what does not exist. */
async function known<T>(reading: Promise<T>, what: string): Promise<T> {
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
  { id, among, shownAs, count }: Subject & { readonly count: () => void },
): Promise<Reason> {
  const { section, query, site_id, filter, min_relevance, mode = 'hybrid' } = input
  const asked: Asked = { query, site_id, filter, min_relevance, mode, limit: PAGE }
  const found = async (less: Partial<Asked>, isOpen = false) => {
    const place = isOpen ? { among, isOpen } : { among }
    return (await search(viewer, { ...asked, ...less }, place)).hits.find((hit) => shownAs.includes(hit.id))
  }
  if ((await found({})) !== undefined) return rankOf(search, viewer, asked, shownAs)

  const bare = { site_id: null, filter: undefined, min_relevance: null }
  // An empty query of a shop finds all that passes the filters, without rules; entries are opened for the same.
  const passes = async (condition: Partial<Asked>): Promise<boolean> =>
    (await found({ ...bare, ...condition, query: section === 'products' ? '' : query, mode: 'keyword' }, true)) !==
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
  const matching = await found({ min_relevance: null })
  if (matching !== undefined) return { reason: 'below_relevance', relevance: matching.relevance }
  if (mode === 'keyword') return { reason: 'no_words' }
  const isEmbedded = (await found({ ...bare, mode: 'semantic' })) !== undefined
  return { reason: isEmbedded ? 'others_match_better' : 'not_embedded' }
}

/** The conditions of a filter that must all hold, as they were sent, the last ones of many as one. */
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
  asked: Asked,
  shownAs: readonly string[],
): Promise<Reason> {
  for (let offset = 0; offset < RANKS_MAX; offset += PAGE) {
    const { hits, total } = await search(viewer, { ...asked, offset })
    const hit = hits.find(({ id }) => shownAs.includes(id))
    if (hit !== undefined) return { reason: 'found', rank: hit.rank }
    if (offset + PAGE >= total) break
  }
  return { reason: 'outside_first_1000' }
}

async function hiddenProduct({ products }: LaboratoryParts, caller: Caller, id: string): Promise<Reason['reason']> {
  const product = await products.read(caller, id)
  return product.is_parent && caller.tenant.settings.variantStrategy === 'children_only' ? 'variant_policy' : 'unknown'
}

/** Whether it is on the site. Rules of the site could hide a product that is, so its own site is read. */
async function onSite(
  { products }: LaboratoryParts,
  caller: Caller,
  { section, id, site_id }: MissingQuestion,
  passes: (condition: Partial<Asked>) => Promise<boolean>,
): Promise<boolean> {
  if (section === 'knowledge') return passes({ site_id })
  return (await products.read(caller, id)).site_id === site_id
}

/**
 * The rules of the site that leave the product out of this search, each tried alone. They are tried together first, and
 * only the first rules that hide it together are tried further, so that many rules take few searches.
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
  const hides = all.filter(({ action }) => action === 'hide')
  for (let i = 0; i < hides.length; i += RULES_TOGETHER) {
    const some = hides.slice(i, i + RULES_TOGETHER)
    if (await shows(some.map(ruleOf))) continue
    const hiding: { rule_id: string; name: string }[] = []
    for (const rule of some) if (!(await shows([ruleOf(rule)]))) hiding.push({ rule_id: rule.id, name: rule.name })
    return hiding
  }
  return []
}

type StoredRule = Awaited<ReturnType<LaboratoryParts['merchandising']['list']>>[number]

/** A rule as a preview takes it. */
function ruleOf({ id: _id, site_id: _site, created_at: _made, updated_at: _changed, ...rule }: StoredRule) {
  return rule
}
