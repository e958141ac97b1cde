import type { Database } from '../../../src/platform/database/database.ts'
import type { Kind } from './kind.ts'

/**
 * Returns the kind of clicks, which no route lists. The service answers before it has stored them, and may lose them.
 */
export function clicksIn({ queries }: Database): Kind {
  return {
    name: 'click',
    audited: null,
    isKept: false,
    create: async (client, name, mark) => {
      const body = { search_log_id: 'none', action: 'click', product_id: name, section: 'products', rank: mark }
      await client.call('POST', '/api/knowledge/search/clicks', [202], { body })
      return name
    },
    list: async (client) => {
      const rows = await queries
        .selectFrom('search_clicks')
        .select(['product_id', 'rank'])
        .where('tenant_id', '=', client.tenant)
        .execute()
      return rows.map(({ product_id: id, rank }) => ({ id, name: id, mark: rank }))
    },
  }
}
