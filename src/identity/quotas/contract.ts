import { Contract, DateTime, Int, Nullable, type Static, Type } from '../../platform/contract/schema.ts'
import { QUOTA_MAX, QUOTAS } from './quotas.ts'

const most = (meaning: string, minimum: number) =>
  Nullable(Int({ minimum, maximum: QUOTA_MAX }), { description: `Most ${meaning}; null for no bound` })

const FIELDS = {
  entries: most(QUOTAS.entries.meaning, 0),
  bytes: most(QUOTAS.bytes.meaning, 0),
  requests_per_minute: most(QUOTAS.requestsPerMinute.meaning, 1),
  embedding_tokens_per_month: most(QUOTAS.embeddingTokensPerMonth.meaning, 0),
}

export const TenantQuotas = Contract(
  'TenantQuotas',
  {
    ...FIELDS,
    used: Type.Object(
      {
        entries: Int({ minimum: 0 }),
        bytes: Int({
          minimum: 0,
          description: 'Never below what there is; what was deleted is seen by the next count',
        }),
        embedding_tokens: Int({ minimum: 0, description: 'Of this month so far, half a minute behind' }),
        counted_at: Nullable(DateTime(), {
          description: 'When the background last counted; null before the first time',
        }),
      },
      { description: 'What of that the tenant has and used' },
    ),
    embedding_paused_until: Nullable(DateTime(), {
      description:
        'While the tokens of the month are used up: search by meaning is refused, and what is written is found by words',
    }),
  },
  {
    examples: [
      {
        entries: 10_000,
        bytes: 500_000_000,
        requests_per_minute: 600,
        embedding_tokens_per_month: null,
        used: { entries: 783, bytes: 4_120_331, embedding_tokens: 91_204, counted_at: '2027-02-19T04:06:10.182Z' },
        embedding_paused_until: null,
      },
    ],
  },
)
export type TenantQuotas = Static<typeof TenantQuotas>

export const TenantQuotasChange = Contract('TenantQuotasChange', Type.Partial(Type.Object(FIELDS)).properties, {
  examples: [{ entries: 10_000, requests_per_minute: 600 }],
})
export type TenantQuotasChange = Static<typeof TenantQuotasChange>
