import type { Standby } from '../../platform/database/standby.ts'
import type { ChangeReader } from './change-batches.ts'
import type { IndexVersion } from '../engine.ts'

/**
 * Returns a reader of changes that reads a streaming replica of the database if it has all changes of the version, else
 * the primary. If the replica fails on the way, the reader goes on with the primary from the same place: the primary is
 * never behind the replica.
 */
export function standbyReader(
  standby: Standby,
  version: IndexVersion,
  { onStandby, onPrimary }: { readonly onStandby: ChangeReader; readonly onPrimary: ChangeReader },
): ChangeReader {
  let reader: ChangeReader | null = null
  const run = async <T>(work: (reader: ChangeReader) => Promise<T>): Promise<T> => {
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
    list: (after, limit) => run((each) => each.list(after, limit)),
    read: (ids, last) => run((each) => each.read(ids, last)),
  }
}
