import type { Formats } from '../../i18n/formats.ts'
import type { Words } from '../../i18n/words.ts'
import { isLongBehind, searchLagText } from '../../parts/text/search-lag.ts'
import type { Status } from './queries.ts'
import type { SystemWords } from './words.ts'

/**
 * Returns in words what an administrator should know or look after; none when all is well. The service's own words are
 * English.
 */
export function concernsOf(
  { embedding, search }: Status,
  { concerns }: SystemWords,
  searchLag: Words['searchLag'],
  { number }: Pick<Formats, 'number'>,
): readonly string[] {
  const { unreadable = 0, refused = 0, left_out: leftOut = 0 } = search ?? {}
  return [
    ...(search === null ? [concerns.searchDown] : []),
    ...(refused > 0 ? [concerns.noRoom] : []),
    ...(leftOut > 0 ? [concerns.leftOut(number(leftOut))] : []),
    ...(unreadable > 0 ? [concerns.unreadable(number(unreadable))] : []),
    ...(search !== null && isLongBehind(search) ? [searchLag.concern(searchLagText(search, searchLag, number))] : []),
    ...(isMoving(embedding) ? [concerns.newModel(number(readyItems(embedding)), number(embedding.items))] : []),
    ...vectorConcerns(embedding, concerns, number),
  ]
}

/** Returns how many entries and products need no more work for the model (as in the service's own warnings). */
export function readyItems({ items, embedded, pending }: Status['embedding']): number {
  return Math.max(0, Math.min(embedded, items - pending))
}

function isMoving({ model, target_model: target, items }: Status['embedding']): boolean {
  return items > 0 && model !== target
}

function vectorConcerns(
  embedding: Status['embedding'],
  concerns: SystemWords['concerns'],
  number: Formats['number'],
): readonly string[] {
  const { pending, failing, unread_reason: unread, provider_failing_since: since } = embedding
  if (unread !== null) return [concerns.unread]
  if (since !== null) return [concerns.providerFails]
  if (failing > 0) return [concerns.failing(number(failing))]
  // While a tenant moves, search uses the old vectors, and what waits is found by these.
  return pending > 0 && !isMoving(embedding) ? [concerns.waiting(number(pending))] : []
}
