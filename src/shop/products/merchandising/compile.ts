/** What the rules of a site and the vocabulary of its tenant make of one search: filters and raises of the engine. */
import type { TenantSettings } from '../../../platform/access/caller.ts'
import type { Filter, Raise, Synonym as EngineSynonym } from '../../../search/engine.ts'
import { normalPath } from '../indexing/category-path.ts'
import type { RuleDefinition } from './contract.ts'
import { ruleFilter } from './rule-filter.ts'
import { type CompiledVocabulary, synonymsFor, withoutStopWords } from './vocabulary.ts'
import { areAllKnown, isSameWord, keysOf, type KnownWord, queryWordsOf, wordsOf } from './words.ts'

/** Most products that the rules of one search pin together. */
const PINS_MAX = 100
/** The products that a family is named by; see `index-source.ts`. */
const HEAD: Filter = { field: 'self', anyOf: ['head'] }

/** A rule as it is applied. A rule of a preview has no id. */
export interface ActiveRule extends RuleDefinition {
  readonly id: string | null
}

/** A rule with its query read once. */
interface CompiledRule {
  readonly rule: ActiveRule
  readonly words: readonly KnownWord[] | null
  /** The category that it is about, as a path. */
  readonly path: string | null
  /** The keys of each word. */
  readonly keys: readonly (readonly string[])[]
  readonly fromMs: number
  readonly toMs: number
}

export interface CompiledMerchandising {
  readonly rules: readonly CompiledRule[]
  readonly vocabulary: CompiledVocabulary
}

/** The search that rules are asked about. */
export interface AskedSearch {
  readonly query: string
  readonly category: string | null
  /** The category, as a path, whose subtree is searched. */
  readonly under: string | null
  readonly brand: string | null
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly variantStrategy: TenantSettings['variantStrategy']
  /** More than everything else can add to a score, as a share of what the query's words can score. */
  readonly scoreMax: number
}

/** What rules and vocabulary change about a search. */
export interface Merchandised {
  /** The query without stop words. */
  readonly query: string
  readonly synonyms: readonly EngineSynonym[]
  /** What is not hidden. */
  readonly filter: Filter
  readonly raises: readonly Raise[]
  /** The rule of each raise. */
  readonly raisedBy: readonly ActiveRule[]
  /** Every rule that applies. */
  readonly rules: readonly ActiveRule[]
  readonly redirect: string | null
}

/** Only active rules; those for an exact query come first, then those for contained words, then the others. */
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

export function merchandise({ rules, vocabulary }: CompiledMerchandising, asked: AskedSearch): Merchandised {
  const applying = applyingRules(rules, asked)
  const of = (action: ActiveRule['action']) => applying.filter((rule) => rule.action === action)
  const moved = [...of('boost'), ...of('bury')]
  const query = withoutStopWords(asked.query, vocabulary)
  const pins = of('pin')
    .flatMap((rule) => rule.product_ids.map((id) => ({ rule, id })))
    .filter(({ id }, i, all) => all.findIndex((other) => other.id === id) === i)
    .slice(0, PINS_MAX)
  // Each pin is above all that follows, whatever that scores.
  const step = 2 * (asked.scoreMax + moved.reduce((sum, { strength }) => sum + strength, 0))
  const raises: (Raise & { readonly rule: ActiveRule })[] = [
    ...pins.map(({ rule, id }, i) => ({
      rule,
      filter: pinned(id, asked.variantStrategy),
      bonus: (pins.length - i) * step,
      qualifies: true,
    })),
    ...moved.map((rule) => ({
      rule,
      filter: productsOf(rule, asked.nowMs),
      bonus: rule.action === 'boost' ? rule.strength : -rule.strength,
      qualifies: false,
    })),
  ]
  return {
    query,
    synonyms: synonymsFor(query, vocabulary),
    filter: notHidden(applying, asked.nowMs),
    raises: raises.map(({ rule: _rule, ...raise }) => raise),
    raisedBy: raises.map(({ rule }) => rule),
    rules: applying,
    redirect: of('redirect').find(({ address }) => address !== null)?.address ?? null,
  }
}

/** The rules that apply to a search, in their order. */
export function applyingRules(rules: readonly CompiledRule[], asked: Omit<AskedSearch, 'scoreMax'>): ActiveRule[] {
  const words = queryWordsOf(asked.query)
  const known = new Set(words.flatMap(keysOf))
  return rules.filter((compiled) => applies(compiled, asked, words, known)).map(({ rule }) => rule)
}

/** What rules that apply do not hide. @param nowMs moment at which prices are taken */
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
  asked: Omit<AskedSearch, 'scoreMax'>,
  query: readonly KnownWord[],
  known: ReadonlySet<string>,
): boolean {
  if (asked.nowMs < fromMs || asked.nowMs > toMs) return false
  const { filter_category: category } = rule
  if (category !== null && category !== asked.category && path !== asked.under) return false
  if (rule.filter_brand !== null && rule.filter_brand !== asked.brand) return false
  if (words === null) return true
  if (words.length === 0 || query.length === 0) return false
  if (rule.match === 'contains') return areAllKnown(keys, known)
  return words.length === query.length && words.every((word, i) => isSameWord(word, query[i]))
}

/** The products that a rule names; of several kinds of lists and its filter, all must match. */
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
  // A rule without products names none, not all.
  return all.length === 0 ? { any: [] } : { all }
}

/** The products, and the variants of those that are parents. */
function withFamilies(ids: readonly string[]): Filter {
  return {
    any: [
      { field: 'family', anyOf: ids },
      { field: 'self', anyOf: ids },
    ],
  }
}

/** What stands for a pinned product: where search shows products and variants side by side, itself alone. */
function pinned(id: string, strategy: TenantSettings['variantStrategy']): Filter {
  if (strategy !== 'all') return withFamilies([id])
  const head: Filter = { all: [{ field: 'family', anyOf: [id] }, HEAD] }
  return { any: [head, { field: 'self', anyOf: [id] }] }
}
