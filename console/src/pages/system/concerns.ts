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
  const { model, target_model: target, items, embedded } = embedding
  const { unreadable = 0, refused = 0, left_out: leftOut = 0 } = search ?? {}
  return [
    ...(search === null ? [concerns.searchDown] : []),
    ...(refused > 0 ? [concerns.noRoom] : []),
    ...(leftOut > 0 ? [concerns.leftOut(number(leftOut))] : []),
    ...(unreadable > 0 ? [concerns.unreadable(number(unreadable))] : []),
    ...(search !== null && isLongBehind(search) ? [searchLag.concern(searchLagText(search, searchLag, number))] : []),
    ...(items > 0 && model !== target ? [concerns.newModel(number(embedded), number(items))] : []),
    ...vectorConcerns(embedding, concerns, number),
  ]
}

function vectorConcerns(
  { pending, failing, unread_reason: unread, provider_failing_since: since }: Status['embedding'],
  concerns: SystemWords['concerns'],
  number: Formats['number'],
): readonly string[] {
  if (unread !== null) return [concerns.unread]
  if (since !== null) return [concerns.providerFails]
  if (failing > 0) return [concerns.failing(number(failing))]
  return pending > 0 ? [concerns.waiting(number(pending))] : []
}
