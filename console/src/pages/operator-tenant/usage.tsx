import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../i18n/language.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { type UsageByDay, usageQuery } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'

/** Shows what a tenant has, and what it used this month. */
export function UsageSection({ tenantId }: { readonly tenantId: string }) {
  const usage = useQuery(usageQuery(tenantId))
  return <QueryView query={usage}>{(data) => <Figures usage={data} />}</QueryView>
}

function Figures({ usage }: { readonly usage: UsageByDay }) {
  const { number, bytes, day } = useLanguage().formats
  const { tenant: words, tenants } = useOperatorWords()
  const sum = (of: (one: UsageByDay['days'][number]) => number): number =>
    usage.days.reduce((total, one) => total + of(one), 0)
  const seconds = (ms: number): string => number(Math.round(ms / 1_000))
  const has = [
    [tenants.people, number(usage.users)],
    [words.keys, number(usage.api_keys)],
    [tenants.entries, number(usage.entries)],
    [tenants.products, number(usage.products)],
    [words.passages, number(usage.passages)],
    [tenants.size, bytes(usage.bytes)],
  ] as const
  const used = [
    [tenants.searches, number(sum(({ searches }) => searches))],
    [tenants.tokens, number(sum(({ tokens_embedded: tokens }) => tokens))],
    [words.requests, number(sum(({ requests }) => requests))],
    [words.work, seconds(sum(({ work_ms: workMs }) => workMs))],
    [words.transferred, bytes(sum(({ transferred_bytes: transferred }) => transferred))],
    [words.index, bytes(Math.max(0, ...usage.days.map(({ index_bytes: indexBytes }) => indexBytes)))],
  ] as const
  return (
    <>
      <Section title={words.has}>
        {usage.counted_at === null ? (
          <p className="quiet">{words.neverCounted}</p>
        ) : (
          <div className="stack">
            <FigureList figures={has} />
            <p className="help">
              {words.counted} <Ago iso={usage.counted_at} />
            </p>
          </div>
        )}
      </Section>
      <Section title={words.used}>
        <div className="stack">
          <FigureList figures={used} />
          {usage.days.length === 0 ? (
            <p className="quiet">{words.noDays}</p>
          ) : (
            <Table
              label={words.days}
              rows={usage.days.toReversed()}
              keyOf={(one) => one.day}
              columns={[
                { head: words.day, cell: (one) => day(`${one.day}T12:00`) },
                { head: tenants.searches, cell: ({ searches }) => number(searches) },
                { head: tenants.tokens, cell: ({ tokens_embedded: tokens }) => number(tokens) },
                { head: words.requests, cell: ({ requests }) => number(requests) },
                { head: words.work, cell: ({ work_ms: workMs }) => seconds(workMs) },
              ]}
            />
          )}
        </div>
      </Section>
    </>
  )
}

function FigureList({ figures }: { readonly figures: readonly (readonly [string, string])[] }) {
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
