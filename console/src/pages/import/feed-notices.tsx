import { useLanguage } from '../../i18n/language.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { isFull, type useFeed } from './use-feed.ts'
import { useImportWords } from './words.ts'

/** Shows what people have to know of a feed before and after its import: which products go, which do not, and why. */
export function FeedNotices({ run }: { readonly run: ReturnType<typeof useFeed> }) {
  const { feed: words } = useImportWords()
  const { formats } = useLanguage()
  const { phase, job, content, result, missing } = run
  if (job === null || content === null || result === null) return null
  const { finished } = result
  const isDone = phase === 'done'
  const isRefused = finished?.reason !== undefined
  const left = (finished?.would_retire ?? 0) - (finished?.retired ?? 0)
  const ids = finished?.external_ids ?? []
  return (
    <>
      {content.cut === null ? null : (
        <Notice tone="danger" role="alert">
          <p>{words.cuts[content.cut]}</p>
          {content.places.length === 0 ? null : <p>{job.isFull ? words.cutFull : words.cutPartial}</p>}
        </Notice>
      )}
      {!isDone && missing > 0 ? (
        <Notice tone="warning">
          <p>{words.missing(missing, formats.number(missing), job.site.name)}</p>
          <p className="wrap">{words.missingIds(ids.join(', '), formats.number(missing - ids.length))}</p>
        </Notice>
      ) : null}
      {isRefused && isFull(job, content) ? (
        <Notice tone="warning">
          {isDone ? words.leftAll(formats.number(left)) : words.unread(formats.number(left))}
        </Notice>
      ) : null}
      {content.unnamed === 0 ? null : (
        <Notice tone="warning">{words.unnamed(content.unnamed, formats.number(content.unnamed))}</Notice>
      )}
      {content.unreadPrices === 0 ? null : (
        <Notice tone="plain">{words.unreadPrices(content.unreadPrices, formats.number(content.unreadPrices))}</Notice>
      )}
    </>
  )
}
