import type { Caller } from '../../platform/access/caller.ts'
import { VERSION } from '../../platform/version.ts'
import type { EmbeddingStatus } from '../../embedding/contract.ts'
import { failingInWords, unreadInWords } from '../../embedding/provider-health.ts'
import { readyItems } from '../../embedding/ready-items.ts'
import type { EmbeddingRules } from '../../embedding/rules.ts'
import {
  IndexRefused,
  LEFT_OUT_NAMED_MAX,
  type LeftOutDocument,
  SEARCH_ROOM_REMEDY,
  type SearchEngine,
} from '../../search/engine.ts'
import { behindFields, behindInWords, isLongBehind } from '../../search/telemetry/behind.ts'
import type { TenantStatus } from './contract.ts'

interface StatusRulesOptions {
  readonly engine: Pick<SearchEngine, 'status' | 'requireRoom'>
  readonly embedding: Pick<EmbeddingRules, 'status'>
  /** Names of the indexes that a tenant has. */
  readonly indexes: readonly string[]
}

/** Returns the state of the service for the administrators of a tenant: only the part about their own tenant. */
export class StatusRules {
  readonly #options: StatusRulesOptions

  constructor(options: StatusRulesOptions) {
    this.#options = options
  }

  async status({ tenant }: Caller): Promise<TenantStatus> {
    const { engine, embedding, indexes } = this.#options
    const [progress, index] = await Promise.all([embedding.status(tenant), engine.status(tenant.id).catch(() => null)])
    const refused = indexes.filter((name) => this.#isRefused(tenant, name)).length
    const search =
      index === null
        ? null
        : {
            indexes: index.indexes,
            documents: index.documents,
            passages: index.passages,
            unreadable: index.unreadable,
            ...behindFields(index),
            left_out: index.leftOut,
            left_out_documents: index.leftOutDocuments.slice(0, LEFT_OUT_NAMED_MAX).map(leftOutOf),
            refused,
            bytes: index.bytes,
            bytes_max: index.bytesMax,
          }
    return {
      version: VERSION,
      embedding: progress,
      search,
      warnings: warningsOf(progress, search, refused > 0),
    }
  }

  #isRefused({ id, settings }: Caller['tenant'], index: string): boolean {
    try {
      this.#options.engine.requireRoom(id, index, settings.searchEngine)
      return false
    } catch (error) {
      if (error instanceof IndexRefused) return true
      throw error
    }
  }
}

type LeftOut = NonNullable<TenantStatus['search']>['left_out_documents'][number]

function leftOutOf({ index, id, owner }: LeftOutDocument): LeftOut {
  return { index: index === 'products' ? 'products' : 'entries', id, owner }
}

function warningsOf(progress: EmbeddingStatus, search: TenantStatus['search'], hasRefused: boolean): string[] {
  const { model, target_model: target, items, pending, failing } = progress
  const { unread_reason: unread, provider_failing_since: since } = progress
  const isMoving = items > 0 && model !== target
  const warnings: string[] = []
  if (search === null) warnings.push('Search is starting again')
  if (hasRefused)
    warnings.push(`The search index has no room, and searches are refused for a while: ${SEARCH_ROOM_REMEDY}`)
  if (search !== null && search.left_out > 0)
    warnings.push(
      `${search.left_out} entries or products are found by no search, since the search memory is full: ` +
        `${SEARCH_ROOM_REMEDY}. left_out_documents names the latest, with their owners`,
    )
  if ((search?.unreadable ?? 0) > 0)
    warnings.push(
      `${search?.unreadable} entries or products are damaged and not found, or by words alone; tell the operator`,
    )
  if (search !== null && isLongBehind(search))
    warnings.push(`Search lacks the latest changes: ${behindInWords(search)}`)
  if (isMoving)
    warnings.push(
      `${readyItems(progress)} of ${items} entries and products are ready for the new model; search uses the old one`,
    )
  if (unread !== null) warnings.push(`${unreadInWords(unread)}; tell the operator`)
  else if (since !== null)
    warnings.push(
      `${failingInWords(since, failing)}: searches by meaning fail, and others go by words; tell the operator`,
    )
  else if (failing > 0)
    warnings.push(`${itemsWait(failing)} for vectors because the provider failed; the service tries again`)
  else if (pending > 0 && !isMoving)
    warnings.push(`${itemsWait(pending)} for vectors; until then, search by meaning finds them less well or not at all`)
  return warnings
}

function itemsWait(count: number): string {
  return count === 1 ? '1 entry or product waits' : `${count} entries or products wait`
}
