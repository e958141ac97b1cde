import { useLanguage } from '../../i18n/language.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Meter } from '../../parts/chart/meter.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import type { Quotas } from './queries.ts'
import { useSystemWords } from './words.ts'

/** Share from which on a quota is almost used up. */
const FULL_SHARE = 0.9

/** Shows how much of each quota an organisation has used. Without a quota the use is a plain figure. */
export function QuotaUse({ quotas }: { readonly quotas: Quotas }) {
  const { number, bytes, moment } = useLanguage().formats
  const { quotas: words } = useSystemWords()
  const { used, embedding_paused_until: pausedUntil, requests_per_minute: perMinute } = quotas
  const uses = [
    { label: words.entries, has: used.entries, most: quotas.entries, format: number },
    { label: words.bytes, has: used.bytes, most: quotas.bytes, format: bytes },
    { label: words.tokens, has: used.embedding_tokens, most: quotas.embedding_tokens_per_month, format: number },
  ]
  return (
    <div className="stack">
      {pausedUntil === null ? null : <Notice tone="warning">{words.paused(moment(pausedUntil))}</Notice>}
      {uses.map(({ label, has, most, format }) =>
        most === null ? null : (
          <Meter
            key={label}
            label={label}
            value={has}
            max={most}
            text={words.of(format(has), format(most))}
            isWarning={has >= most * FULL_SHARE}
          />
        ),
      )}
      <DescriptionList
        facts={[
          ...uses.map(({ label, has, most, format }) =>
            most === null ? ([label, words.unbounded(format(has))] as const) : null,
          ),
          [words.requests, perMinute === null ? words.none : number(perMinute)],
        ]}
      />
    </div>
  )
}
