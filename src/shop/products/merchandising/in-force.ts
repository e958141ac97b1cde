import type { TenantContext } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ClockCache } from '../../../search/hits/clock-cache.ts'
import { type CompiledMerchandising, compileRules } from './compile.ts'
import * as store from './merchandising-store.ts'
import { ruleOf } from './rule.ts'
import { vocabularyOf } from './rules.ts'
import { type CompiledVocabulary, compileVocabulary } from './vocabulary.ts'

/** Tenants whose last change a process knows; those longest unused go first. */
const TENANTS_MAX = 1_000
/** Bytes of rules, and of vocabularies, that a process keeps for all tenants together. */
const BYTES_MAX = 48 * 1_024 * 1_024
/** The largest that one site or tenant can have is kept too: without it, every search would read it anew. */
const SHARE_MAX = 2 / 3
/** Of a compiled rule beside its texts, and of each character of its definition. */
const RULE_BYTES = 600
const CHARACTER_BYTES = 4
/** Sites with rules that are named; one more says that there are others. */
export const SITES_MAX = 20

/** What is known of a tenant. */
interface Known {
  /** True of the tenant at least at this number of its changes. */
  watermark: number
  /** Number of the last change of rules or vocabulary; null while there was none. */
  readonly seq: number | null
  /** The first sites with rules; null until asked for. */
  sites: readonly string[] | null
}

interface KeptRules {
  readonly rules: CompiledMerchandising['rules']
  readonly bytes: number
}

/**
 * The rules and vocabularies in force. Every change of them takes a number of the tenant's watermark, which comes with
 * the request: while the watermark stands still, nothing is read; once it has moved, one number is, and the rules only
 * if they have changed. So a change is in force with the next request, in every process.
 *
 * With 200 rules and 1,000 synonyms a search takes 0.2 ms of processor time for them, and 15 ms where it reads them anew
 * (settled in docs/benchmarks.md). What was not used for longest is forgotten.
 */
export class MerchandisingInForce {
  readonly #database: Database
  readonly #known = new Map<string, Known>()
  readonly #rules: ClockCache<KeptRules>
  readonly #vocabularies: ClockCache<CompiledVocabulary>

  constructor(database: Database, bytesMax = BYTES_MAX) {
    this.#database = database
    this.#rules = new ClockCache(bytesMax, ({ bytes }) => bytes, SHARE_MAX)
    this.#vocabularies = new ClockCache(bytesMax, ({ bytes }) => bytes, SHARE_MAX)
  }

  /** Approximate bytes of what is kept. */
  get bytes(): number {
    return this.#rules.bytes + this.#vocabularies.bytes
  }

  /** @param siteId null for a search that names no site, which no rules apply to @returns null when nothing applies */
  async of(tenant: TenantContext, siteId: string | null): Promise<CompiledMerchandising | null> {
    const { seq } = await this.#upToDate(tenant)
    if (seq === null) return null
    return {
      rules: siteId === null ? [] : await this.#rulesOf(tenant.id, siteId, seq),
      vocabulary: await this.#vocabularyOf(tenant.id, seq),
    }
  }

  /** The rules of a site alone. */
  async rulesOf(tenant: TenantContext, siteId: string): Promise<CompiledMerchandising['rules']> {
    const { seq } = await this.#upToDate(tenant)
    return seq === null ? [] : this.#rulesOf(tenant.id, siteId, seq)
  }

  /** Ids of the tenant's sites with rules, at most one more than `SITES_MAX`. */
  async sitesWithRules(tenant: TenantContext): Promise<readonly string[]> {
    const known = await this.#upToDate(tenant)
    if (known.seq === null) return []
    return (known.sites ??= await store.sitesWithRules(this.#database.queries, tenant.id, SITES_MAX + 1))
  }

  async #upToDate({ id, watermark }: TenantContext): Promise<Known> {
    const known = this.#known.get(id)
    if (known !== undefined && known.watermark >= watermark) return this.#remember(id, known)
    const seq = await store.lastChange(this.#database.queries, id)
    if (known === undefined || known.seq !== seq) return this.#remember(id, { watermark, seq, sites: null })
    known.watermark = Math.max(known.watermark, watermark)
    return this.#remember(id, known)
  }

  #remember(id: string, known: Known): Known {
    this.#known.delete(id)
    this.#known.set(id, known)
    if (this.#known.size > TENANTS_MAX) this.#known.delete(this.#known.keys().next().value!)
    return known
  }

  async #rulesOf(tenantId: string, siteId: string, seq: number): Promise<CompiledMerchandising['rules']> {
    const place = `${tenantId} ${siteId}`
    const kept = this.#rules.get(tenantId, place, seq, null)
    if (kept !== null) return kept.rules
    const rows = await store.listRules(this.#database.queries, tenantId, siteId)
    const rules = compileRules(rows.map(ruleOf))
    const bytes = rows.reduce((sum, { definition }) => sum + RULE_BYTES + CHARACTER_BYTES * definition.length, 0)
    this.#rules.put(tenantId, place, seq, null, { rules, bytes })
    return rules
  }

  async #vocabularyOf(tenantId: string, seq: number): Promise<CompiledVocabulary> {
    const kept = this.#vocabularies.get(tenantId, tenantId, seq, null)
    if (kept !== null) return kept
    const vocabulary = compileVocabulary(await vocabularyOf(this.#database.queries, tenantId))
    this.#vocabularies.put(tenantId, tenantId, seq, null, vocabulary)
    return vocabulary
  }
}
