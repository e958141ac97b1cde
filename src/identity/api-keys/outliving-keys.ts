import type { Queries } from '../../platform/database/database.ts'

/**
 * Counts keys in force, by tenant, that outlive the key that issued them, by a later expiry or another user. Earlier
 * versions of the service allowed such keys.
 * @param now milliseconds since 1970
 */
export async function outlivingKeys(db: Queries, now: number): Promise<{ tenant_id: string; count: number }[]> {
  return db
    .selectFrom('api_keys as k')
    .innerJoin('api_keys as i', (join) =>
      join.onRef('i.tenant_id', '=', 'k.tenant_id').onRef('i.id', '=', 'k.issuer_id'),
    )
    .where('k.issuer_kind', '=', 'key')
    .where('k.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now)]))
    .where((eb) =>
      eb.or([
        eb('i.expires_at', 'is not', null).and(
          eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', eb.ref('i.expires_at'))]),
        ),
        eb('i.user_id', 'is not', null).and(
          eb.or([eb('k.user_id', 'is', null), eb('k.user_id', '!=', eb.ref('i.user_id'))]),
        ),
      ]),
    )
    .groupBy('k.tenant_id')
    .orderBy('k.tenant_id')
    .select(['k.tenant_id', (eb) => eb.fn.countAll<number>().as('count')])
    .execute()
}
