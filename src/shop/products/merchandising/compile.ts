/** Turns the rules of a site and the vocabulary of its tenant into filters and raises of one search. */
import type { TenantSettings } from '../../../platform/access/caller.ts'
import type { Filter, Raise, Synonym as EngineSynonym } from '../../../search/engine.ts'
import { normalPath } from '../indexing/category-path.ts'
import type { RuleDefinition } from './contract.ts'
import { ruleFilter } from './rule-filter.ts'
import { type CompiledVocabulary, synonymsFor, withoutStopWords } from './vocabulary.ts'
import { areAllAmong, isSameWord, keysOf, type StemmedWord, queryWordsOf, wordsOf } from './words.ts'

/** Most products that the rules of one search pin together. */
const PINS_MAX = 100
/** Filter of the products whose ids are those of their families; see `index-source.ts`. */
const HEAD: Filter = { field: 'self', anyOf: ['head'] }

/** Rule that may apply to searches. A rule of a preview has no id. */
export interface ActiveRule extends RuleDefinition {
  readonly id: string | null
}

/** Rule with its query and dates parsed, once for all searches. */
interface CompiledRule {
  readonly rule: ActiveRule
  /** Words of the rule's query; null for a rule that applies to every query. */
  readonly words: readonly StemmedWord[] | null
  /** Category to which the rule is restricted, as a path; null for none. */
  readonly path: string | null
  /** Keys of each word. */
  readonly keys: readonly (readonly string[])[]
  readonly fromMs: number
  readonly toMs: number
}

export interface CompiledMerchandising {
  readonly rules: readonly CompiledRule[]
  readonly vocabulary: CompiledVocabulary
}

/** Facts of a search by which rules apply or not. */
export interface RuleInput {
  readonly query: string
  readonly category: string | null
  /** Category whose subtree is searched, as a path; null for none. */
  readonly under: string | null
  readonly brand: string | null
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly variantStrategy: TenantSettings['variantStrategy']
  /** Upper bound of a score without rules, as a share of the most that the query's words can score. */
  readonly scoreMax: number
}

/** Effect of rules and vocabulary on a search. */
export interface MerchandisingEffect {
  /** Query without stop words. */
  readonly query: string
  readonly synonyms: readonly EngineSynonym[]
  /** Filter of the products that the rules do not hide. */
  readonly filter: Filter
  readonly raises: readonly Raise[]
  /** Rule of each raise. */
  readonly raisedBy: readonly ActiveRule[]
  /** All rules that apply. */
  readonly rules: readonly ActiveRule[]
  /** Address of the first redirect that applies; null without one. */
  readonly redirect: string | null
}

/** Compiles active rules: first rules for an exact query, then rules for contained words, then rules for any query. */
export function compileRules(rules: readonly ActiveRule[]): readonly CompiledRule[] {
  const compiled = rules
    .filter((rule) => rule.is_active)
    .map((rule) => ({
      rule,
      ...wordsAndKeys(rule.query),
      path: rule.filter_category === null ? null : normalPath(rule.filter_category),
      fromMs: rule.from === null ? -Infinity : Date.parse(rule.from),
      toMs: rule.to === null ? Infinity : Date.parse(rule.to),
    }))
  const rank = ({ rule }: CompiledRule): number => (rule.query === null ? 2 : rule.match === 'exact' ? 0 : 1)
  return compiled.toSorted((one, other) => rank(one) - rank(other))
}

/** Returns the effect of rules and vocabulary on a search. */
export function merchandise({ rules, vocabulary }: CompiledMerchandising, search: RuleInput): MerchandisingEffect {
  const applying = applyingRules(rules, search)
  const of = (action: ActiveRule['action']) => applying.filter((rule) => rule.action === action)
  const moved = [...of('boost'), ...of('bury')]
  const query = withoutStopWords(search.query, vocabulary)
  const pins = of('pin')
    .flatMap((rule) => rule.product_ids.map((id) => ({ rule, id })))
    .filter(({ id }, i, all) => all.findIndex((other) => other.id === id) === i)
    .slice(0, PINS_MAX)
  // One step exceeds any score, so that each pin is above all hits after it.
  const step = 2 * (search.scoreMax + moved.reduce((sum, { strength }) => sum + strength, 0))
  const raises: (Raise & { readonly rule: ActiveRule })[] = [
    ...pins.map(({ rule, id }, i) => ({
      rule,
      filter: pinned(id, search.variantStrategy),
      bonus: (pins.length - i) * step,
      qualifies: true,
    })),
    ...moved.map((rule) => ({
      rule,
      filter: productsOf(rule, search.nowMs),
      bonus: rule.action === 'boost' ? rule.strength : -rule.strength,
      qualifies: false,
    })),
  ]
  return {
    query,
    synonyms: synonymsFor(query, vocabulary),
    filter: notHidden(applying, search.nowMs),
    raises: raises.map(({ rule: _rule, ...raise }) => raise),
    raisedBy: raises.map(({ rule }) => rule),
    rules: applying,
    redirect: of('redirect').find(({ address }) => address !== null)?.address ?? null,
  }
}

/** Returns the rules that apply to a search, in their order. */
export function applyingRules(rules: readonly CompiledRule[], search: Omit<RuleInput, 'scoreMax'>): ActiveRule[] {
  const words = queryWordsOf(search.query)
  const queryKeys = new Set(words.flatMap(keysOf))
  return rules.filter((compiled) => applies(compiled, search, words, queryKeys)).map(({ rule }) => rule)
}

/** Returns the filter of products that none of the rules hides. @param nowMs moment of the prices */
export function notHidden(applying: readonly ActiveRule[], nowMs: number): Filter {
  const hidden = applying.filter(({ action }) => action === 'hide').map((rule) => productsOf(rule, nowMs))
  return hidden.length === 0 ? { all: [] } : { not: { any: hidden } }
}

function wordsAndKeys(query: string | null): Pick<CompiledRule, 'words' | 'keys'> {
  const words = query === null ? null : wordsOf(query)
  return { words, keys: (words ?? []).map(keysOf) }
}

function applies(
  { rule, path, words, keys, fromMs, toMs }: CompiledRule,
  search: Omit<RuleInput, 'scoreMax'>,
  query: readonly StemmedWord[],
  queryKeys: ReadonlySet<string>,
): boolean {
  if (search.nowMs < fromMs || search.nowMs > toMs) return false
  const { filter_category: category } = rule
  if (category !== null && category !== search.category && path !== search.under) return false
  if (rule.filter_brand !== null && rule.filter_brand !== search.brand) return false
  if (words === null) return true
  if (words.length === 0 || query.length === 0) return false
  if (rule.match === 'contains') return areAllAmong(keys, queryKeys)
  return words.length === query.length && words.every((word, i) => isSameWord(word, query[i]))
}

/** Returns the filter of a rule's products, which match all of its lists and its filter. */
function productsOf(
  { product_ids: ids, brands, categories, availabilities, filter }: ActiveRule,
  nowMs: number,
): Filter {
  const all: Filter[] = []
  if (ids.length > 0) all.push(withFamilies(ids))
  if (brands.length > 0) all.push({ field: 'brand', anyOf: brands })
  if (categories.length > 0) all.push({ field: 'category', anyOf: categories })
  if (availabilities.length > 0) all.push({ field: 'availability', anyOf: availabilities })
  if (filter) all.push(ruleFilter(filter, nowMs))
  // Without lists and filter, the rule has no products rather than all.
  return all.length === 0 ? { any: [] } : { all }
}

/** Returns the filter of products and of the variants of those that are parents. */
function withFamilies(ids: readonly string[]): Filter {
  return {
    any: [
      { field: 'family', anyOf: ids },
      { field: 'self', anyOf: ids },
    ],
  }
}

/** Returns the filter of a pinned product: with its variants, or alone where search shows both side by side. */
function pinned(id: string, strategy: TenantSettings['variantStrategy']): Filter {
  if (strategy !== 'all') return withFamilies([id])
  const head: Filter = { all: [{ field: 'family', anyOf: [id] }, HEAD] }
  return { any: [head, { field: 'self', anyOf: [id] }] }
}
