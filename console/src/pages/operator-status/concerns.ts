import type { Formats } from '../../i18n/formats.ts'
import type { Words } from '../../i18n/words.ts'
import { isLongBehind, searchLagText } from '../../parts/text/search-lag.ts'
import type { InstallationStatus } from '../operator/queries.ts'
import type { OperatorWords } from '../operator/words.ts'

/** Share from which on the search memory is almost full (as in the service's own warnings). */
export const FULL_SHARE = 0.9
const SLOW_DATABASE_MS = 100
/** Number of intervals after which a backup is overdue (as in the service's own warnings). */
const LATE_TIMES = 2

/** Returns in words what an operator should look after; none when all is well. The service's own words are English. */
export function concernsOf(
  { database, embedding, search, threads, backups }: InstallationStatus,
  { status: { concerns, threads: names } }: OperatorWords,
  searchLag: Words['searchLag'],
  { number }: Pick<Formats, 'number'>,
): readonly string[] {
  const hasNoRoom = search !== null && search.refused > 0
  const isFull = search !== null && search.bytes > search.bytes_max * FULL_SHARE
  return [
    ...(database.damage.length > 0 ? [concerns.damaged(database.damage.join(', '))] : []),
    ...threads.filter(({ down }) => down).map(({ name }) => concerns.thread(names[name] ?? name)),
    ...(hasNoRoom ? [concerns.noRoom(number(search.refused))] : isFull ? [concerns.full] : []),
    ...(search !== null && search.left_out > 0 ? [concerns.leftOut(number(search.left_out))] : []),
    ...(search !== null && isLongBehind(search) ? [searchLag.concern(searchLagText(search, searchLag, number))] : []),
    ...vectorConcerns(embedding, concerns, number),
    ...(database.answers_in_ms > SLOW_DATABASE_MS ? [concerns.slow(number(database.answers_in_ms))] : []),
    ...backupConcerns(backups, concerns),
  ]
}

function vectorConcerns(
  { failing, unread_reason: unread, provider_failing_since: since }: InstallationStatus['embedding'],
  concerns: OperatorWords['status']['concerns'],
  number: Formats['number'],
): readonly string[] {
  if (unread !== null) return [concerns.unread(unread)]
  if (since !== null) return [concerns.providerFails]
  return failing > 0 ? [concerns.failing(number(failing))] : []
}

function backupConcerns(
  {
    every_hours: everyHours,
    missing,
    last_success_at: succeeded,
    last_failure_at: failed,
    failure,
  }: InstallationStatus['backups'],
  concerns: OperatorWords['status']['concerns'],
): readonly string[] {
  if (everyHours === null || (succeeded === null && failed === null)) return missing ? [concerns.backupMissing] : []
  if (failed !== null && (succeeded === null || failed > succeeded)) return [concerns.backupFailed(failure ?? '')]
  const isLate = succeeded !== null && Date.now() - Date.parse(succeeded) > LATE_TIMES * everyHours * 3_600_000
  return isLate ? [concerns.backupLate] : []
}
