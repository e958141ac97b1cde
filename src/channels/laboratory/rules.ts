import type { EntryRules } from '../../knowledge/entries/rules.ts'
import type { EntrySearchRules } from '../../knowledge/entries/search/search-rules.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MerchandisingRules } from '../../shop/products/merchandising/rules.ts'
import type { ProductRules } from '../../shop/products/rules.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import {
  type LaboratoryAnswer,
  type LaboratorySearch,
  type MissingAnswer,
  type MissingQuestion,
  MODES,
} from './contract.ts'
import { whyMissing } from './missing.ts'
import { type SearchSection, sectionsOf } from './sections.ts'
import { isOtherView, type View, viewerOf } from './view.ts'

/** The rules that the laboratory uses. Its searches are not logged, so that they do not count as searches of people. */
export interface LaboratoryParts {
  readonly database: Database
  readonly entries: EntryRules
  readonly products: ProductRules
  readonly merchandising: MerchandisingRules
  readonly entrySearch: EntrySearchRules
  readonly productSearch: ProductSearchRules
}

/**
 * Waits until all have ended, so that a refusal leaves no work behind.
 * @throws the error of the first one that failed
 */
async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Explains searches to administrators. */
export class LaboratoryRules {
  readonly #parts: LaboratoryParts
  readonly #sections: Readonly<Record<'knowledge' | 'products', SearchSection>>

  constructor(parts: LaboratoryParts) {
    this.#parts = parts
    this.#sections = sectionsOf(parts.entrySearch, parts.productSearch)
  }

  /**
   * Searches by one query in every mode.
   * @throws Fault invalid for a ceiling above the caller's own, and like the search of the section
   */
  async search(caller: Caller, input: LaboratorySearch): Promise<LaboratoryAnswer> {
    const viewer = viewerOf(caller, input)
    const { section, query, site_id, filter, min_relevance, limit = 10 } = input
    const answers = await allEnded(
      MODES.map(async (mode) => {
        const search = { query, site_id, filter, min_relevance, limit, mode }
        const { hits, total, degraded, timing } = await this.#sections[section](viewer, search)
        const duration_ms = Object.values(timing).reduce((sum, each) => sum + each, 0)
        return { mode, total, degraded, timing: { ...timing }, duration_ms, hits }
      }),
    )
    await this.noteView(caller, input)
    return { ceiling: viewer.ceiling, answers }
  }

  /** Finds out why a search misses an entry or product. @throws Fault invalid at `id` for one the caller may not see */
  async missing(caller: Caller, input: MissingQuestion): Promise<MissingAnswer> {
    const viewer = viewerOf(caller, input)
    const answer = await whyMissing(this.#parts, this.#sections[input.section], { caller, viewer }, input)
    await this.noteView(caller, input)
    return answer
  }

  /** Returns the ids of the first ten hits, best first, by which a judged set is measured. */
  async firstHits(
    viewer: Caller,
    section: 'knowledge' | 'products',
    query: Pick<LaboratorySearch, 'query' | 'min_relevance'> & { readonly mode: MissingQuestion['mode'] },
  ): Promise<string[]> {
    const { hits } = await this.#sections[section](viewer, { ...query, mode: query.mode ?? 'hybrid', limit: 10 })
    return hits.map(({ id }) => id)
  }

  /** Records in the audit log that the caller searched with another role or ceiling. */
  async noteView(caller: Caller, view: View): Promise<void> {
    if (!isOtherView(view)) return
    const { id: tenantId } = caller.tenant
    const resourceId = `${view.role ?? '*'}/${view.ceiling ?? '*'}`
    await this.#parts.database.write(
      (tx) => recordAudit(tx, tenantId, caller, [{ action: 'look', resourceType: 'search_view', resourceId }]),
      tenantId,
    )
  }
}
