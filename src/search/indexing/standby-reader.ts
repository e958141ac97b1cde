import type { Standby } from '../../platform/database/standby.ts'
import type { ChangeReader } from './change-batches.ts'
import type { IndexVersion } from '../engine.ts'

/**
 * Reads changes from a replica of the database that has them all, else from the primary. A replica that fails on the way
 * is left for the primary, which is never behind it, and goes on from the same place.
 */
export function standbyReader(
  standby: Standby,
  version: IndexVersion,
  { onStandby, onPrimary }: { readonly onStandby: ChangeReader; readonly onPrimary: ChangeReader },
): ChangeReader {
  let reader: ChangeReader | null = null
  const reading = async <T>(work: (reader: ChangeReader) => Promise<T>): Promise<T> => {
    reader ??= (await standby.has(version)) ? onStandby : onPrimary
    if (reader === onPrimary) return work(onPrimary)
    try {
      return await standby.read(work(onStandby))
    } catch {
      reader = onPrimary
      return work(onPrimary)
    }
  }
  return {
    list: (after, limit) => reading((each) => each.list(after, limit)),
    read: (ids, last) => reading((each) => each.read(ids, last)),
  }
}
