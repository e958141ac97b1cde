import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { isInForce, type Rule, rulesQuery } from '../../api/merchandising.ts'
import { type Product, productsWith } from '../../api/products.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'

export interface PreviewAnswer {
  readonly products: readonly Pick<Product, (typeof RANKED)[number]>[]
  /** Address to which the rules lead people with this query; null without such a rule. */
  readonly redirect: string | null
}
/** Fields of a rule that people write. */
export type RuleDraft = Omit<Rule, 'id' | 'site_id' | 'created_at' | 'updated_at'>

const HITS = 10
const RANKED = ['id', 'title'] as const
const OFFERED = ['id', 'title', 'brand'] as const
/** Most other rules of a preview: the service takes fifty, of which one is the rule that is tried. */
const OTHERS_MAX = 49

export function draftOf({
  id: _id,
  site_id: _site,
  created_at: _made,
  updated_at: _changed,
  ...rest
}: Rule): RuleDraft {
  return rest
}

export const NEW_RULE: RuleDraft = {
  name: '',
  action: 'pin',
  is_active: true,
  from: null,
  to: null,
  query: null,
  match: 'exact',
  filter_category: null,
  filter_brand: null,
  product_ids: [],
  brands: [],
  categories: [],
  availabilities: [],
  strength: 0.5,
  address: null,
}

/** Returns the rules that are in force at a moment, as a preview takes them. */
export function othersOf(rules: readonly Rule[], ruleId: string, nowMs: number): RuleDraft[] {
  return rules
    .filter((rule) => rule.id !== ruleId && isInForce(rule, nowMs))
    .slice(0, OTHERS_MAX)
    .map(draftOf)
}

/** Search that a rule is tried with. */
interface PreviewSearch {
  readonly query: string
  readonly category: string | null
  readonly brand: string | null
  readonly at?: string
}

/** Returns a search that meets the conditions of a rule, except perhaps its words. */
export function searchFor(
  { filter_category: category, filter_brand: brand, from, to }: RuleDraft,
  query: string,
  nowMs: number,
): PreviewSearch {
  const isLater = from !== null && Date.parse(from) > nowMs
  const isOver = to !== null && Date.parse(to) < nowMs
  return { query, category, brand, ...(isLater ? { at: from } : isOver ? { at: to } : {}) }
}

/** Returns the query for the hits of the site with these rules. The service stores and logs nothing of it. */
export const previewQuery = (siteId: string, search: PreviewSearch, rules: readonly RuleDraft[]) =>
  queryOptions({
    queryKey: ['merchandising', siteId, 'preview', search, rules],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<PreviewAnswer> => {
      const call = api.POST('/api/knowledge/sites/{site_id}/merchandising/preview', {
        signal,
        params: { path: { site_id: siteId } },
        body: { ...search, rules: [...rules], limit: HITS, facets: false, fields: [...RANKED] },
      })
      const { hits, redirect } = await answerOf(call)
      return { products: productsWith(RANKED, hits), redirect }
    },
  })

const RULE = '/api/knowledge/sites/{site_id}/merchandising/{rule_id}'
const placeOf = (siteId: string, ruleId: string) => ({ site_id: siteId, rule_id: ruleId })

/** Reads a rule as it is stored now; without an id, returns the first values of a new rule. */
export async function readRule(siteId: string, ruleId: string | null): Promise<Versioned<RuleDraft>> {
  if (ruleId === null) return { value: NEW_RULE, etag: '' }
  const call = api.GET(RULE, { params: { path: placeOf(siteId, ruleId) } })
  return { value: draftOf(await answerOf(call)), etag: etagOf((await call).response) }
}

/**
 * Stores a rule as a whole, because the service takes no parts; a new one without an id.
 * @throws ApiFault with 412 when the rule is no longer in the state that `etag` names
 */
export const writeRule = (siteId: string, ruleId: string | null, body: RuleDraft, etag: string): Promise<Rule> =>
  ruleId === null
    ? answerOf(
        api.POST('/api/knowledge/sites/{site_id}/merchandising', { params: { path: { site_id: siteId } }, body }),
      )
    : answerOf(api.PUT(RULE, { params: { path: placeOf(siteId, ruleId), header: { 'If-Match': etag } }, body }))

/** Changes a part of a rule, and leaves the rest as it is stored at that moment. */
export function useSaveRule(siteId: string, ruleId: string) {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: ruleId },
    mutationFn: async (changes: Partial<RuleDraft>): Promise<Rule> => {
      const { value, etag } = await readRule(siteId, ruleId)
      return writeRule(siteId, ruleId, { ...value, ...changes }, etag)
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: rulesQuery(siteId).queryKey }),
  })
}

export function useRemoveRule(siteId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ruleId: string) =>
      answerOf(
        api.DELETE('/api/knowledge/sites/{site_id}/merchandising/{rule_id}', {
          params: { path: { site_id: siteId, rule_id: ruleId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: rulesQuery(siteId).queryKey }),
  })
}

/** Returns the query for products and values to choose from. */
export const choicesQuery = (siteId: string, typed: string) =>
  queryOptions({
    queryKey: ['products', 'choices', siteId, typed],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const call = api.POST('/api/knowledge/products/browse', {
        signal,
        body: {
          query: typed,
          prefix: true,
          site_id: siteId,
          limit: 10,
          fields: [...OFFERED],
          facets: ['brand', 'category', 'availability'].map((field) => ({ field, limit: 100 })),
        },
      })
      const { hits, facets } = await answerOf(call)
      return { products: productsWith(OFFERED, hits), facets }
    },
  })
