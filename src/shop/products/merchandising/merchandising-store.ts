import type { Queries } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import type { MerchandisingRow, MerchandisingRuleRow } from '../../../platform/database/tables.ts'

function rules(db: Queries, tenantId: string, siteId: string) {
  return db.selectFrom('merchandising_rules').where('tenant_id', '=', tenantId).where('site_id', '=', siteId)
}

/** Lists the rules of a site, oldest first. */
export async function listRules(db: Queries, tenantId: string, siteId: string): Promise<MerchandisingRuleRow[]> {
  return rules(db, tenantId, siteId).selectAll().orderBy('id').execute()
}

/** Returns ids of at most `limit` sites with rules, by id. */
export async function sitesWithRules(db: Queries, tenantId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('merchandising_rules')
    .select('site_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .orderBy('site_id')
    .limit(limit)
    .execute()
  return rows.map(({ site_id: id }) => id)
}

export async function findRule(
  db: Queries,
  tenantId: string,
  siteId: string,
  id: string,
): Promise<MerchandisingRuleRow | null> {
  return (await rules(db, tenantId, siteId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function countRules(db: Queries, tenantId: string, siteId: string): Promise<number> {
  const row = await rules(db, tenantId, siteId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Inserts a rule, or replaces the rule with the same id. */
export async function putRule(tx: Queries, row: MerchandisingRuleRow): Promise<void> {
  const { definition, updated_at } = row
  await tx
    .insertInto('merchandising_rules')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'id']).doUpdateSet({ definition, updated_at }))
    .execute()
}

export async function deleteRule(tx: Queries, tenantId: string, siteId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('merchandising_rules')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute()
}

/** Lists all rules of the tenant by id, for an export. */
export async function rulesOfTenant(db: Queries, tenantId: string): Promise<MerchandisingRuleRow[]> {
  return db.selectFrom('merchandising_rules').selectAll().where('tenant_id', '=', tenantId).orderBy('id').execute()
}

/** Finds a rule of any site of the tenant. */
export async function findAnyRule(db: Queries, tenantId: string, id: string): Promise<MerchandisingRuleRow | null> {
  const query = db.selectFrom('merchandising_rules').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

function ofTenant(db: Queries, tenantId: string) {
  return db.selectFrom('merchandising').where('tenant_id', '=', tenantId)
}

/** Returns the number of the last change of the tenant's rules or vocabulary; null before the first. */
export async function lastChange(db: Queries, tenantId: string): Promise<number | null> {
  return (await ofTenant(db, tenantId).select('seq').executeTakeFirst())?.seq ?? null
}

export async function findVocabulary(db: Queries, tenantId: string): Promise<MerchandisingRow | null> {
  return (await ofTenant(db, tenantId).selectAll().executeTakeFirst()) ?? null
}

/** Records the number of a change of the tenant's rules or vocabulary. @param words new words of the vocabulary */
export async function noteChange(
  tx: Queries,
  tenantId: string,
  seq: number,
  words: Partial<Pick<MerchandisingRow, 'synonyms' | 'stop_words'>> = {},
): Promise<void> {
  await tx
    .insertInto('merchandising')
    .values({ tenant_id: tenantId, synonyms: '[]', stop_words: '[]', ...words, seq })
    .onConflict((c) => c.column('tenant_id').doUpdateSet({ ...words, seq }))
    .execute()
}

/** Returns those of the ids that are of products of the site and not retired. */
export async function productsAmong(
  db: Queries,
  portable: Portable,
  tenantId: string,
  siteId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .where('retired_at', 'is', null)
    .where((eb) => portable.isOneOf(eb.ref('id'), ids))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
