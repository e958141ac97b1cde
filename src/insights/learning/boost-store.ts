import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ClickBoostRow } from '../../platform/database/tables.ts'
import { type LogSelection, NO_SITE } from './clicked-search-store.ts'

/** Key in a site's config that overrides the tenant's `clickLearning`. */
const SITE_SWITCH = 'click_learning'
/** Key in a site's config that overrides the tenant's `trustedVisitors`. */
const SITE_TRUST = 'trusted_visitors'

/**
 * Returns the boosts of a query by one indexed statement; none while learning is off for the site.
 * @param siteId null for searches that name no site
 * @param isLearning setting of the tenant, which the config of the site overrides
 */
export async function listBoosts(
  { queries, portable }: Database,
  { tenantId, siteId, queryKey }: { tenantId: string; siteId: string | null; queryKey: string },
  isLearning: boolean,
): Promise<Pick<ClickBoostRow, 'product_id' | 'clicks' | 'expected_clicks' | 'boost'>[]> {
  const { rows } = await sql<Pick<ClickBoostRow, 'product_id' | 'clicks' | 'expected_clicks' | 'boost'>>`
    select b.product_id, b.clicks, b.expected_clicks, b.boost
    from click_boosts b
    left join sites s on s.tenant_id = b.tenant_id and s.id = b.site_id
    where b.tenant_id = ${tenantId} and b.site_id = ${siteId ?? NO_SITE} and b.query_key = ${queryKey}
      and coalesce(${portable.jsonFlag(sql.ref('s.config'), SITE_SWITCH)}, ${String(isLearning)}) = 'true'`.execute(
    queries,
  )
  return rows
}

/** Returns the ids of tenants that learn, as a whole or for a site, and of tenants that still have boosts. */
export async function tenantsThatLearn({ queries }: Database): Promise<string[]> {
  const rows = await queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) =>
      eb.or([
        eb('settings', 'like', '%"clickLearning":true%'),
        eb(
          'tenant_id',
          'in',
          eb.selectFrom('sites').select('sites.tenant_id').where('config', 'like', `%${SITE_SWITCH}%`),
        ),
        eb('tenant_id', 'in', eb.selectFrom('click_boosts').select('click_boosts.tenant_id')),
      ]),
    )
    .where('suspended_at', 'is', null)
    .orderBy('tenant_id')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Returns when a tenant's boosts were last computed, in milliseconds since 1970; null when it has none. */
export async function lastLearntAt({ queries }: Database, tenantId: string): Promise<number | null> {
  const row = await queries
    .selectFrom('click_boosts')
    .select((eb) => eb.fn.max('computed_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.at ?? null
}

/**
 * Returns for each site of a tenant whether it learns, and whether it trusts visitor ids: 'true', 'false', or null
 * where the setting of the tenant decides.
 */
export async function listSiteFlags(
  { queries, portable }: Database,
  tenantId: string,
): Promise<{ id: string; slug: string; learns: string | null; trusts: string | null }[]> {
  return queries
    .selectFrom('sites')
    .select([
      'id',
      'slug',
      portable.jsonFlag(sql.ref('config'), SITE_SWITCH).as('learns'),
      portable.jsonFlag(sql.ref('config'), SITE_TRUST).as('trusts'),
    ])
    .where('tenant_id', '=', tenantId)
    .execute()
}

const BOOST_COLUMNS = {
  site_id: 'text',
  query_key: 'text',
  product_id: 'text',
  clicks: 'double precision',
  expected_clicks: 'double precision',
  boost: 'double precision',
  computed_at: 'bigint',
} as const satisfies Record<Exclude<keyof ClickBoostRow, 'tenant_id'>, string>

/** Replaces the boosts of some queries of a site. */
export async function replaceBoosts(
  database: Database,
  { tenantId, siteId }: Pick<LogSelection, 'tenantId' | 'siteId'>,
  queryKeys: readonly string[],
  rows: readonly ClickBoostRow[],
): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .deleteFrom('click_boosts')
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('query_key', 'in', [...queryKeys])
      .execute()
    const columns = sql.join(Object.keys(BOOST_COLUMNS).map((name) => sql.ref(name)))
    // Another process may compute the same boosts at the same time.
    await sql`
      insert into click_boosts (tenant_id, ${columns})
      select cast(${tenantId} as text), ${columns}
      from ${database.portable.jsonRows(JSON.stringify(rows), BOOST_COLUMNS)} as r where true
      on conflict do nothing`.execute(tx)
  })
}

/** Deletes a tenant's boosts that were computed before `computedAt`, and those of sites other than `sites`. */
export async function deleteOtherBoosts(
  database: Database,
  tenantId: string,
  sites: readonly string[],
  computedAt: number,
): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('click_boosts')
      .where('tenant_id', '=', tenantId)
      .where((eb) =>
        sites.length === 0
          ? eb.and([])
          : eb.or([eb('computed_at', '<', computedAt), eb('site_id', 'not in', [...sites])]),
      )
      .execute(),
  )
}
