import type { Caller } from '../../../platform/access/caller.ts'
import { invalid } from '../../../platform/faults.ts'
import type { Filter } from '../../../search/engine.ts'
import { applyingRules, type RuleInput, notHidden } from './compile.ts'
import { type MerchandisingInForce, SITES_MAX } from './in-force.ts'
import { numericConditions, CONDITIONS_OF_SITES_MAX } from './numeric-conditions.ts'

const EVERYTHING: Filter = { all: [] }

/**
 * Returns the filter of the products that a search without a site may show visitors of a page: on each site that they
 * search, the products that the site's rules do not hide. With other credentials, staff and servers see all products.
 * @param siteId site that is searched; null for several
 * @param part part of the request with the `site_id`
 * @throws Fault invalid at `site_id` where more sites have rules than one search evaluates, or their rules compare more
 *   numbers
 */
export async function notHiddenOnSites(
  inForce: MerchandisingInForce,
  { tenant, publishable }: Pick<Caller, 'tenant' | 'publishable'>,
  siteId: string | null,
  search: Omit<RuleInput, 'scoreMax'>,
  part: 'query' | 'body',
): Promise<Filter> {
  if (publishable === undefined || siteId !== null) return EVERYTHING
  const siteIds = publishable.siteIds ?? (await inForce.sitesWithRules(tenant))
  if (siteIds.length > SITES_MAX) {
    throw invalid([part, 'site_id'], 'missing', `Where more than ${SITES_MAX} sites have rules, name the site`)
  }
  const notHiddenBySite: Filter[] = []
  let conditions = 0
  for (const id of siteIds) {
    const applying = applyingRules(await inForce.rulesOf(tenant, id), search)
    conditions += numericConditions(applying.filter(({ action }) => action === 'hide'))
    if (conditions > CONDITIONS_OF_SITES_MAX) {
      const msg = `Where rules hide by more than ${CONDITIONS_OF_SITES_MAX} conditions on numbers and dates, name the site`
      throw invalid([part, 'site_id'], 'missing', msg)
    }
    const hidden = notHidden(applying, search.nowMs)
    if ('not' in hidden) notHiddenBySite.push({ not: { all: [{ field: 'site', anyOf: [id] }, hidden.not] } })
  }
  return { all: notHiddenBySite }
}
