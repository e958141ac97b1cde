import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { isInForce, type Rule, rulesQuery } from '../../api/merchandising.ts'
import { type Product, productsWith } from '../../api/products.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'

export interface Previewed {
  readonly products: readonly Pick<Product, (typeof RANKED)[number]>[]
  /** Where the rules lead people with this query; null without such a rule. */
  readonly redirect: string | null
}
/** What a rule says, without whose and when. */
export type RuleDraft = Omit<Rule, 'id' | 'site_id' | 'created_at' | 'updated_at'>

const HITS = 10
const RANKED = ['id', 'title'] as const
const OFFERED = ['id', 'title', 'brand'] as const
/** The service takes fifty rules in a preview; one of them is the rule that is tried. */
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

/** The rules that are in force at a moment, as a preview takes them. */
export function othersOf(rules: readonly Rule[], ruleId: string, nowMs: number): RuleDraft[] {
  return rules
    .filter((rule) => rule.id !== ruleId && isInForce(rule, nowMs))
    .slice(0, OTHERS_MAX)
    .map(draftOf)
}

/** A search that a rule is tried with. */
interface PreviewedSearch {
  readonly query: string
  readonly category: string | null
  readonly brand: string | null
  readonly at?: string
}

/** A search that meets the conditions of a rule, except perhaps its words. */
export function searchFor(
  { filter_category: category, filter_brand: brand, from, to }: RuleDraft,
  query: string,
  nowMs: number,
): PreviewedSearch {
  const isLater = from !== null && Date.parse(from) > nowMs
  const isOver = to !== null && Date.parse(to) < nowMs
  return { query, category, brand, ...(isLater ? { at: from } : isOver ? { at: to } : {}) }
}

/** How the site would rank with these rules. Nothing of it is stored or logged. */
export const previewQuery = (siteId: string, asked: PreviewedSearch, rules: readonly RuleDraft[]) =>
  queryOptions({
    queryKey: ['merchandising', siteId, 'preview', asked, rules],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Previewed> => {
      const call = api.POST('/api/knowledge/sites/{site_id}/merchandising/preview', {
        signal,
        params: { path: { site_id: siteId } },
        body: { ...asked, rules: [...rules], limit: HITS, facets: false, fields: [...RANKED] },
      })
      const { hits, redirect } = await answerOf(call)
      return { products: productsWith(RANKED, hits), redirect }
    },
  })

const RULE = '/api/knowledge/sites/{site_id}/merchandising/{rule_id}'
const placeOf = (siteId: string, ruleId: string) => ({ site_id: siteId, rule_id: ruleId })

/** What a rule says now; a new one without an id says nothing yet. */
export async function readRule(siteId: string, ruleId: string | null): Promise<Versioned<RuleDraft>> {
  if (ruleId === null) return { value: NEW_RULE, etag: '' }
  const call = api.GET(RULE, { params: { path: placeOf(siteId, ruleId) } })
  return { value: draftOf(await answerOf(call)), etag: etagOf((await call).response) }
}

/**
 * Stores a rule as a whole, which is how the service takes one; a new one without an id.
 * @throws ApiFault with 412 when the rule is not in that state any more
 */
export const writeRule = (siteId: string, ruleId: string | null, body: RuleDraft, etag: string): Promise<Rule> =>
  ruleId === null
    ? answerOf(
        api.POST('/api/knowledge/sites/{site_id}/merchandising', { params: { path: { site_id: siteId } }, body }),
      )
    : answerOf(api.PUT(RULE, { params: { path: placeOf(siteId, ruleId), header: { 'If-Match': etag } }, body }))

/** Changes a part of a rule; the rest is as it is at that moment. */
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

/** Products and values to choose from. */
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
