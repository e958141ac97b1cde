/** How far search indexes are behind, for statuses and in words. */
import { Int, Num } from '../../platform/contract/schema.ts'
import type { EngineStatus } from '../engine.ts'

/** Seconds from which on an index that is behind is worth a warning. A large feed keeps it behind for less. */
const LONG_SECONDS = 60

/** How far indexes are behind, under the names of the API. */
export interface Behind {
  readonly documents_behind: number
  readonly indexes_behind: number
  readonly behind_seconds: number
  readonly indexes_building: number
  readonly built_percent: number
}

/** Fields of the contract of a status. */
export const BEHIND_FIELDS = {
  documents_behind: Int({
    minimum: 0,
    description:
      'Documents whose latest text is not in the index yet. Searches find their former text, and their latest price, ' +
      'visibility and other values. Of an index in PostgreSQL at most 10,000 are counted',
  }),
  indexes_behind: Int({
    minimum: 0,
    description: 'Indexes that lack changes, in memory and in PostgreSQL',
  }),
  behind_seconds: Num({ minimum: 0, description: 'For how long the oldest change has waited that an index lacks' }),
  indexes_building: Int({ minimum: 0, description: 'Indexes that are being built, or read from disk' }),
  built_percent: Int({
    minimum: 0,
    maximum: 100,
    description: 'Percent that is done of the build of which least is done; 100 where none is being built',
  }),
}

export function behindFields({ documentsBehind, behind, behindMs, building, builtPercent }: EngineStatus): Behind {
  return {
    documents_behind: documentsBehind,
    indexes_behind: behind,
    behind_seconds: Math.round(behindMs / 100) / 10,
    indexes_building: building,
    built_percent: builtPercent,
  }
}

/** Tells whether indexes have been behind for so long that a warning is due. */
export function isLongBehind({ behind_seconds: seconds }: Pick<Behind, 'behind_seconds'>): boolean {
  return seconds >= LONG_SECONDS
}

/** Says how far indexes are behind, and why, such as `1200 documents behind for 12 s: reading texts`. */
export function behindInWords(behind: Behind): string {
  const { documents_behind: documents, indexes_behind: indexes, behind_seconds: seconds } = behind
  const { indexes_building: building, built_percent: percent } = behind
  if (indexes === 0 && building === 0) return 'up to date'
  const reasons = [
    ...(building > 0 ? [`being built (${percent} percent)`] : []),
    ...(indexes > building ? [documents > 0 ? 'reading texts' : 'reading changes'] : []),
  ]
  const what = documents === 1 ? '1 document' : `${documents} documents`
  return `${what} behind for ${Math.ceil(seconds)} s: ${reasons.join(' and ')}`
}
