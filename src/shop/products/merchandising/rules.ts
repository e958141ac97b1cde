import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/audit.ts'
import { joinFaults } from '../../../platform/contract/all-faults.ts'
import type { Database, Queries, Tx } from '../../../platform/database/database.ts'
import type { MerchandisingRuleRow } from '../../../platform/database/tables.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { conflict, invalid, notFound, referenceNotFound } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import { type Expected, requireExpected } from '../../../platform/precondition.ts'
import { requireSite } from '../../sites/rules.ts'
import {
  type MerchandisingRule,
  MerchandisingRuleWrite,
  type RuleDefinition,
  type SearchVocabulary,
} from './contract.ts'
import * as store from './merchandising-store.ts'
import { numericConditions, numericFaults } from './numeric-conditions.ts'
import { definitionOf, relationFaults, ruleOf } from './rule.ts'

/** Most rules of a site: each search of the site evaluates all of them. */
const RULES_MAX = 200
const RULE_CHARACTERS_MAX = 32 * 1_024
const VOCABULARY_CHARACTERS_MAX = 256 * 1_024

const OTHER_VERSION = 'The rule has another version'

type Change = 'create' | 'update' | 'delete'

/** Manages the merchandising rules of sites, and the synonyms and stop words of a tenant's product search. */
export class MerchandisingRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the rules of a site, oldest first. */
  async list(caller: Caller, siteId: string): Promise<MerchandisingRule[]> {
    await requireSite(this.#database.queries, caller.tenant.id, siteId)
    return (await store.listRules(this.#database.queries, caller.tenant.id, siteId)).map(ruleOf)
  }

  async read(caller: Caller, siteId: string, id: string): Promise<MerchandisingRule> {
    return ruleOf(await this.#require(this.#database.queries, caller, siteId, id))
  }

  /** @throws Fault not_found without the site; invalid; conflict when the site has `RULES_MAX` rules */
  async create(caller: Caller, siteId: string, input: MerchandisingRuleWrite): Promise<MerchandisingRule> {
    return this.#write(caller, 'create', async (tx) => {
      await requireSite(tx, caller.tenant.id, siteId)
      const definition = await this.#checked(tx, caller, siteId, input)
      await this.#requireFewNumbers(tx, caller, siteId, definition)
      if ((await store.countRules(tx, caller.tenant.id, siteId)) >= RULES_MAX)
        throw conflict(['path', 'site_id'], `The site has ${RULES_MAX} rules, which is the most`)
      const now = Date.now()
      const place = { tenant_id: caller.tenant.id, id: newId(), site_id: siteId }
      return put(tx, { ...place, definition: JSON.stringify(definition), created_at: now, updated_at: now })
    })
  }

  /** Replaces a whole rule. @throws Fault like `create`; precondition_failed when the stored rule is not as expected */
  async replace(
    caller: Caller,
    siteId: string,
    id: string,
    input: MerchandisingRuleWrite,
    expected: Expected<MerchandisingRule> = null,
  ): Promise<MerchandisingRule> {
    return this.#write(caller, 'update', async (tx) => {
      const before = await this.#require(tx, caller, siteId, id)
      requireExpected(ruleOf(before), expected, OTHER_VERSION)
      const checked = await this.#checked(tx, caller, siteId, input, ruleOf(before).product_ids)
      await this.#requireFewNumbers(tx, caller, siteId, checked, id)
      const definition = JSON.stringify(checked)
      return put(tx, { ...before, definition, updated_at: Math.max(Date.now(), before.updated_at) })
    })
  }

  /** @throws Fault not_found; precondition_failed when the rule is not as expected */
  async remove(
    caller: Caller,
    siteId: string,
    id: string,
    expected: Expected<MerchandisingRule> = null,
  ): Promise<void> {
    await this.#write(caller, 'delete', async (tx) => {
      requireExpected(ruleOf(await this.#require(tx, caller, siteId, id)), expected, OTHER_VERSION)
      await store.deleteRule(tx, caller.tenant.id, siteId, id)
      return { id }
    })
  }

  /** Returns the synonyms and stop words of the tenant. */
  async vocabulary(caller: Caller): Promise<SearchVocabulary> {
    return vocabularyOf(this.#database.queries, caller.tenant.id)
  }

  /** Replaces all synonyms and stop words. @throws Fault precondition_failed when they are not as expected */
  async replaceVocabulary(
    caller: Caller,
    { synonyms, stop_words }: SearchVocabulary,
    expected: Expected<SearchVocabulary> = null,
  ): Promise<SearchVocabulary> {
    const { id: tenantId } = caller.tenant
    const words = { synonyms: JSON.stringify(synonyms), stop_words: JSON.stringify(stop_words) }
    requireSize(words.synonyms.length + words.stop_words.length, VOCABULARY_CHARACTERS_MAX, 'The vocabulary')
    await this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      requireExpected(await vocabularyOf(tx, tenantId), expected, 'The vocabulary has another version')
      await store.noteChange(tx, tenantId, seq, words)
      const event = { action: 'update', resourceType: 'search_vocabulary', resourceId: tenantId } as const
      await recordAudit(tx, tenantId, caller, [event])
    }, tenantId)
    return { synonyms, stop_words }
  }

  async #require(db: Queries, caller: Caller, siteId: string, id: string): Promise<MerchandisingRuleRow> {
    await requireSite(db, caller.tenant.id, siteId)
    const row = await store.findRule(db, caller.tenant.id, siteId, id)
    if (row === null) throw notFound(['path', 'rule_id'], 'Rule')
    return row
  }

  /** Checks a rule. @param storedIds products of the stored rule: a deleted one must not keep it from being changed */
  async #checked(
    db: Queries,
    caller: Caller,
    siteId: string,
    input: MerchandisingRuleWrite,
    storedIds: readonly string[] = [],
  ): Promise<RuleDefinition> {
    const definition = definitionOf(input)
    requireSize(JSON.stringify(definition).length, RULE_CHARACTERS_MAX, 'A rule')
    const { portable } = this.#database
    const ids = definition.product_ids
    const existingIds = await store.productsAmong(db, portable, caller.tenant.id, siteId, ids)
    const unknown = ids.flatMap((id, i) =>
      existingIds.has(id) || storedIds.includes(id)
        ? []
        : [referenceNotFound(['body', 'product_ids', String(i)], 'Product')],
    )
    const [fault, ...further] = [...relationFaults(definition, ['body']), ...unknown]
    if (fault !== undefined) throw joinFaults(fault, further, MerchandisingRuleWrite)
    return definition
  }

  /**
   * Bounds the conditions on numbers and dates of a site.
   * @param replaced id of the rule that the definition replaces; null for a new rule
   * @throws Fault invalid at the filter
   */
  async #requireFewNumbers(
    tx: Tx,
    { tenant }: Caller,
    siteId: string,
    definition: RuleDefinition,
    replaced: string | null = null,
  ): Promise<void> {
    if (numericConditions([definition]) === 0) return
    const rows = await store.listRules(tx, tenant.id, siteId)
    const others = rows.filter(({ id }) => id !== replaced).map(ruleOf)
    const [fault] = numericFaults(definition, numericConditions(others), ['body'])
    if (fault !== undefined) throw fault
  }

  /** Advances the tenant's watermark with a write, by which every process notices that its cached rules are old. */
  async #write<T extends { readonly id: string }>(
    caller: Caller,
    action: Change,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { id: tenantId } = caller.tenant
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      const rule = await work(tx)
      await store.noteChange(tx, tenantId, seq)
      await recordAudit(tx, tenantId, caller, [{ action, resourceType: 'merchandising_rule', resourceId: rule.id }])
      return rule
    }, tenantId)
  }
}

async function put(tx: Tx, row: MerchandisingRuleRow): Promise<MerchandisingRule> {
  await store.putRule(tx, row)
  return ruleOf(row)
}

/** Returns the synonyms and stop words of a tenant; both are empty until they are first set. */
export async function vocabularyOf(db: Queries, tenantId: string): Promise<SearchVocabulary> {
  const row = await store.findVocabulary(db, tenantId)
  if (row === null) return { synonyms: [], stop_words: [] }
  return {
    synonyms: JSON.parse(row.synonyms) as SearchVocabulary['synonyms'],
    stop_words: JSON.parse(row.stop_words) as SearchVocabulary['stop_words'],
  }
}

function requireSize(characters: number, max: number, what: string): void {
  if (characters <= max) return
  throw invalid(['body'], 'json_too_large', `${what} should have at most ${max} characters as JSON`)
}
