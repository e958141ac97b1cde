import { createTenant } from '../../../src/composition/new-tenant.ts'
import { queryKeyOf } from '../../../src/insights/search-log/query-key.ts'
import { type NewClick, type NewSearch, writeBatch } from '../../../src/insights/search-log/store.ts'
import { ROLE_SCOPES } from '../../../src/platform/access/scopes.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { TestService } from '../../support/service.ts'

/** Tenant of the shop; it is one of its own, so that its searches are in no other tenant's figures. */
export const SHOP = 'shop'

const DAY_MS = 86_400_000
const DAYS = 75
const LANGUAGE = 'de'

/** Searches of a week: query, number, hits, and the share of searches with a click. */
const SEARCHES = [
  { query: 'Rücksendung', section: 'knowledge', weekly: 21, hits: 4, share: 0.7 },
  { query: 'Garantie Akku', section: 'knowledge', weekly: 13, hits: 3, share: 0.6 },
  { query: 'Hochbeet befüllen', section: 'knowledge', weekly: 8, hits: 5, share: 0.75 },
  { query: 'Lieferung in die Schweiz', section: 'knowledge', weekly: 9, hits: 0, share: 0 },
  { query: 'Werkzeug mieten', section: 'knowledge', weekly: 6, hits: 0, share: 0 },
  { query: 'Rechnung nachträglich ändern', section: 'knowledge', weekly: 4, hits: 0, share: 0 },
  { query: 'Öffnungszeiten', section: 'knowledge', weekly: 7, hits: 3, share: 0 },
  { query: 'Akkuschrauber', section: 'products', weekly: 28, hits: 6, share: 0.8 },
  { query: 'Akkubohrer', section: 'products', weekly: 11, hits: 0, share: 0 },
  { query: 'Gartenschere', section: 'products', weekly: 10, hits: 5, share: 0 },
] as const

const ARTICLES = [
  'Rücksendung und Erstattung',
  'Garantie auf Akkus',
  'Hochbeet richtig befüllen',
  'Versand und Lieferzeit',
]
const PRODUCTS = ['Akkuschrauber 18 V', 'Akkuschrauber 12 V kompakt', 'Gartenschere Bypass']

/** Fills the tenant with articles, products, and the searches and clicks of some weeks: the same at each call. */
export async function fillShop(service: TestService): Promise<void> {
  await createTenant(service.database, { id: SHOP, name: 'Werkzeug & Garten', host: null })
  const key = await service.key(ROLE_SCOPES.admin, SHOP)
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await service.call('POST', path, { key, body })
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.id
  }
  const { body: sites } = await service.call('GET', '/api/knowledge/sites', { key })
  const category = await create('/api/knowledge/categories', { name: 'Kundenservice' })
  const articles = await inTurn(ARTICLES, (title) =>
    create('/api/knowledge/knowledge-entries', {
      title,
      content: `${title}: was unsere Kundinnen und Kunden wissen müssen.`,
      category_id: category,
      language: LANGUAGE,
    }),
  )
  const products = await inTurn(PRODUCTS, (title) =>
    create(`/api/knowledge/products?site_id=${sites[0].id}`, { title, language: LANGUAGE }),
  )
  await service.call('PATCH', '/api/knowledge/tenant-settings', { key, body: { click_learning: true } })
  await writeBatch(service.database, logOf(articles, products, sites[0].id))
  const learnt = await service.call('POST', '/api/knowledge/learning', { key })
  if (learnt.body.queries !== 1) throw new Error(`Learnt: ${JSON.stringify(learnt.body)}`)
}

/**
 * Writes the searches and clicks of some weeks.
 * @param siteId site on which products are searched; articles are searched on no site in particular
 */
function logOf(articles: readonly string[], products: readonly string[], siteId: string) {
  const searches: NewSearch[] = []
  const clicks: NewClick[] = []
  const today = Math.floor(Date.now() / DAY_MS)
  const chance = chances()
  for (let day = DAYS; day >= 0; day--) {
    for (const [kind, { query, section, weekly, hits, share }] of SEARCHES.entries()) {
      // There are more searches from week to week, and fewer at weekends.
      const isWeekend = [0, 6].includes(new Date((today - day) * DAY_MS).getUTCDay())
      const expected = (weekly / 6) * (1.25 - day / 150) * (isWeekend ? 0.5 : 1.2)
      const count = Math.floor(expected + chance())
      for (let i = 0; i < count; i++) {
        const id = newId()
        const at = (today - day) * DAY_MS + Math.floor(chance() * (day === 0 ? Date.now() % DAY_MS : DAY_MS))
        const hitIds = (section === 'products' ? products : articles).slice(0, hits)
        // Each search is of another visitor, from another address.
        const visitor = `${Math.floor(at / DAY_MS / 30)}.visitor-${day}-${kind}-${i}`
        searches.push({
          tenant_id: SHOP,
          id,
          section,
          at,
          site_id: section === 'products' ? siteId : null,
          mode: 'hybrid',
          query,
          query_key: queryKeyOf(query, LANGUAGE),
          page_offset: 0,
          hits,
          shown: JSON.stringify(hitIds),
          user_id: null,
          client_id: null,
          duration_ms: 4,
          visitor,
        })
        if (hitIds.length === 0 || chance() >= share) continue
        // Of the two drills people prefer the second.
        const rank = section === 'products' ? (chance() < 0.8 ? 2 : 1) : 1 + (kind % hitIds.length)
        clicks.push({
          tenant_id: SHOP,
          id: newId(),
          at: at + 5_000,
          search_log_id: id,
          action: 'click',
          product_id: hitIds[rank - 1] ?? '',
          section,
          rank,
          score: 0,
          user_id: null,
          client_id: null,
          visitor,
          network: `network-${day}-${kind}-${i}`,
        })
      }
    }
  }
  return { searches, clicks }
}

/** Returns numbers from 0 to 1 that look like chance: a linear congruential generator (Numerical Recipes). */
function chances(): () => number {
  let state = 42
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function inTurn<T>(items: readonly T[], make: (item: T) => Promise<string>): Promise<readonly string[]> {
  const ids: string[] = []
  for (const item of items) ids.push(await make(item))
  return ids
}
