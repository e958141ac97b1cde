import type { Caller } from '../../../platform/access/caller.ts'
import { invalid } from '../../../platform/faults.ts'
import type { Filter } from '../../../search/engine.ts'
import { applyingRules, type AskedSearch, notHidden } from './compile.ts'
import { type MerchandisingInForce, SITES_MAX } from './in-force.ts'
import { numericConditions, OF_SITES_MAX } from './numeric-conditions.ts'

const EVERYTHING: Filter = { all: [] }

/**
 * What visitors of a page may be shown by a search that names no site: of each site that they search, what its rules do
 * not hide there. Staff and servers, with other credentials, are shown everything.
 * @param siteId the site that is searched; null for several
 * @param part part of the request with the `site_id`
 * @throws Fault invalid at `site_id` where more sites have rules than one search looks at, or these compare more numbers
 */
export async function notHiddenOnSites(
  inForce: MerchandisingInForce,
  { tenant, publishable }: Pick<Caller, 'tenant' | 'publishable'>,
  siteId: string | null,
  asked: Omit<AskedSearch, 'scoreMax'>,
  part: 'query' | 'body',
): Promise<Filter> {
  if (publishable === undefined || siteId !== null) return EVERYTHING
  const siteIds = publishable.siteIds ?? (await inForce.sitesWithRules(tenant))
  if (siteIds.length > SITES_MAX) {
    throw invalid([part, 'site_id'], 'missing', `Where more than ${SITES_MAX} sites have rules, name the site`)
  }
  const shown: Filter[] = []
  let conditions = 0
  for (const id of siteIds) {
    const applying = applyingRules(await inForce.rulesOf(tenant, id), asked)
    conditions += numericConditions(applying.filter(({ action }) => action === 'hide'))
    if (conditions > OF_SITES_MAX) {
      const msg = `Where rules hide by more than ${OF_SITES_MAX} conditions on numbers and dates, name the site`
      throw invalid([part, 'site_id'], 'missing', msg)
    }
    const hidden = notHidden(applying, asked.nowMs)
    if ('not' in hidden) shown.push({ not: { all: [{ field: 'site', anyOf: [id] }, hidden.not] } })
  }
  return { all: shown }
}
