import { isDeepStrictEqual } from 'node:util'
import { OPERATOR, recordAudit } from '../../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import { conflict } from '../../../platform/faults.ts'
import { requireSiteReference } from '../../sites/rules.ts'
import type { MerchandisingRule, SearchVocabulary } from './contract.ts'
import * as store from './merchandising-store.ts'
import { definitionOf, relationFaults, ruleOf } from './rule.ts'
import { vocabularyOf } from './rules.ts'

type Outcome = 'created' | 'unchanged'

/** Returns all rules of the tenant, by id. */
export async function exportedRules(db: Queries, tenantId: string): Promise<MerchandisingRule[]> {
  return (await store.rulesOfTenant(db, tenantId)).map(ruleOf)
}

/** Returns the vocabulary of the tenant; null while it has none. */
export async function exportedVocabulary(db: Queries, tenantId: string): Promise<SearchVocabulary | null> {
  const vocabulary = await vocabularyOf(db, tenantId)
  return vocabulary.synonyms.length + vocabulary.stop_words.length === 0 ? null : vocabulary
}

/**
 * Restores a rule with its id and times.
 * @throws Fault when another rule has the id, its site does not exist, or its fields do not agree
 */
export async function restoreRule(tx: Tx, tenantId: string, seq: number, rule: MerchandisingRule): Promise<Outcome> {
  const definition = definitionOf(rule)
  const [fault] = relationFaults(definition, ['body'])
  if (fault !== undefined) throw fault
  const row = {
    tenant_id: tenantId,
    id: rule.id,
    site_id: rule.site_id,
    definition: JSON.stringify(definition),
    created_at: Date.parse(rule.created_at),
    updated_at: Date.parse(rule.updated_at),
  }
  const stored = await store.findAnyRule(tx, tenantId, rule.id)
  if (stored !== null) {
    if (isDeepStrictEqual({ ...stored }, row)) return 'unchanged'
    throw conflict(['body', 'id'], 'This rule exists here in another state. It stays unchanged')
  }
  await requireSiteReference(tx, tenantId, rule.site_id, 'body')
  await store.putRule(tx, row)
  await store.noteChange(tx, tenantId, seq)
  const event = { action: 'create', resourceType: 'merchandising_rule', resourceId: rule.id } as const
  await recordAudit(tx, tenantId, OPERATOR, [event])
  return 'created'
}

/** Restores the vocabulary of a tenant that has none. @throws Fault when the tenant has another one */
export async function restoreVocabulary(
  tx: Tx,
  tenantId: string,
  seq: number,
  { synonyms, stop_words }: SearchVocabulary,
): Promise<Outcome> {
  const stored = await exportedVocabulary(tx, tenantId)
  if (stored !== null) {
    if (isDeepStrictEqual(stored, { synonyms, stop_words })) return 'unchanged'
    throw conflict(['body'], 'The tenant has another search vocabulary. It stays unchanged')
  }
  await store.noteChange(tx, tenantId, seq, {
    synonyms: JSON.stringify(synonyms),
    stop_words: JSON.stringify(stop_words),
  })
  const event = { action: 'update', resourceType: 'search_vocabulary', resourceId: tenantId } as const
  await recordAudit(tx, tenantId, OPERATOR, [event])
  return 'created'
}
