import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { TitleSource } from '../../../search/suggest/completions.ts'
import type { Filter, EngineForRequests } from '../../../search/engine.ts'
import { newRequest } from '../../../search/request/new-request.ts'
import { TitleSuggester } from '../../../search/suggest/title-suggester.ts'
import { visibleFilter } from '../../../search/request/visible-filter.ts'
import { guardOf } from '../entry.ts'
import { ENTRY_INDEX } from '../indexing/index-source.ts'
import { notExpired } from './entry-section.ts'
import { findSuggested, type SuggestedEntryRow } from './suggest-store.ts'

export class EntrySuggestRules {
  readonly #database: Database
  readonly #engine: EngineForRequests
  readonly #suggester: TitleSuggester<SuggestedEntryRow>

  constructor({ database, engine }: { database: Database; engine: EngineForRequests }) {
    this.#database = database
    this.#engine = engine
    this.#suggester = new TitleSuggester(engine)
  }

  /**
   * Suggests entries whose titles continue a typed text, best first. Suggestions of a site are as if the tenant had no
   * entries besides those of the site.
   * @param siteId suggests only entries assigned to this site; null for all
   */
  async suggest(
    caller: Caller,
    typed: string,
    siteId: string | null,
  ): Promise<TitleSource & { readonly entries: readonly SuggestedEntryRow[] }> {
    const { id: tenantId, settings } = caller.tenant
    this.#engine.requireRoom(tenantId, ENTRY_INDEX.name, settings.searchEngine)
    const ofSite: Filter[] = siteId === null ? [] : [{ field: 'site', anyOf: [siteId] }]
    const visible: Filter = { all: [visibleFilter(caller), notExpired(), ...ofSite] }
    const { rows, ...source } = await this.#suggester.find(
      { ...newRequest(caller, ENTRY_INDEX, visible), query: typed },
      async (ids) =>
        (await findSuggested(this.#database.queries, tenantId, ids)).filter((row) => maySee(caller, guardOf(row))),
    )
    return { ...source, entries: rows }
  }
}
