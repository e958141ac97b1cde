import type { EngineStatus, IndexSource, IndexVersion, SearchAnswer, SearchRequest } from '../engine.ts'
import type { TenantIndex } from './tenant-index.ts'

/** What a caller waits for: an answer, or only that a copy is up to date (`request` null). */
export interface Job {
  readonly version: IndexVersion
  readonly request: SearchRequest | null
  /** Called once. */
  readonly settle: (outcome: SearchAnswer | null | Error) => void
}

export interface Waiting extends Job {
  readonly since: number
}

/** A tenant's copy of one index with the vectors of one model. */
export interface Copy {
  readonly key: string
  readonly version: IndexVersion
  readonly source: IndexSource
  readonly index: TenantIndex
  waiting: Waiting[]
  /** Where the next catch-up begins. May be ahead of what `index.reached` promises, after one that broke off. */
  cursor: number
  catchingUp: boolean
  compacting: boolean
  dropped: boolean
  lastUsed: number
}

export function newCopy(key: string, version: IndexVersion, source: IndexSource, index: TenantIndex): Copy {
  const idle = { cursor: 0, catchingUp: false, compacting: false, dropped: false, lastUsed: 0 }
  return { key, version, source, index, waiting: [], ...idle }
}

/** Whether nobody waits for it and it may be dropped. */
export function isIdle(copy: Copy): boolean {
  return copy.waiting.length === 0 && !copy.catchingUp
}

export function bytesOf(copies: Iterable<Copy>): number {
  let bytes = 0
  for (const { index } of copies) bytes += index.bytes
  return bytes
}

export function statusOf(copies: readonly Copy[], bytesMax: number): EngineStatus {
  const warnings = copies
    .filter(({ index }) => index.bytes > bytesMax)
    .map(({ version, index }) => {
      const size = `${Math.ceil(index.bytes / 2 ** 20)} MiB`
      return `index ${version.index} of tenant ${version.tenantId} takes ${size}, more than the whole budget`
    })
  return {
    indexes: copies.length,
    documents: copies.reduce((sum, { index }) => sum + index.documents, 0),
    passages: copies.reduce((sum, { index }) => sum + index.passages, 0),
    unreadable: copies.reduce((sum, { index }) => sum + index.unreadable, 0),
    bytes: bytesOf(copies),
    bytesMax,
    warnings,
  }
}
