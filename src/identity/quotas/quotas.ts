import type { Quotas } from '../../platform/access/caller.ts'

/** Quotas by their names in code: the name over HTTP and on the command line, and what is counted. */
export const QUOTAS = {
  entries: { field: 'entries', meaning: 'entries, without those in the bin' },
  bytes: { field: 'bytes', meaning: 'bytes of text, with earlier versions and what is in the bin' },
  requestsPerMinute: {
    field: 'requests_per_minute',
    meaning: 'requests over all credentials of the tenant, in each process',
  },
  embeddingTokensPerMonth: {
    field: 'embedding_tokens_per_month',
    meaning: 'tokens embedded in a month, in UTC',
  },
} as const satisfies Readonly<Record<keyof Quotas, object>>

/** The largest value of a quota. */
export const QUOTA_MAX = 1_000_000_000_000_000

/** Quotas by their names over HTTP: null for no bound; an absent one stays as it is. */
export type QuotaFields = Partial<Record<(typeof QUOTAS)[keyof Quotas]['field'], number | null>>

const NONE: Quotas = { entries: null, bytes: null, requestsPerMinute: null, embeddingTokensPerMonth: null }

/** Parses the quotas of a tenant's row: JSON of those that are set; null where none is set. */
export function parseQuotas(stored: string | null): Quotas | null {
  return stored === null ? null : { ...NONE, ...(JSON.parse(stored) as Partial<Quotas>) }
}

/** Writes quotas as a tenant's row has them; null where none is set. */
export function serialiseQuotas(quotas: Quotas): string | null {
  const set = Object.entries(quotas).filter(([, most]) => most !== null)
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set))
}

/** Returns all quotas by their names over HTTP. */
export function quotaFields(quotas: Quotas | null): Required<QuotaFields> {
  const entries = Object.entries(QUOTAS) as [keyof Quotas, { readonly field: string }][]
  const fields = entries.map(([name, { field }]) => [field, quotas?.[name] ?? null])
  return Object.fromEntries(fields) as Required<QuotaFields>
}

/** Returns quotas after a change. */
export function quotasAfter(before: Quotas | null, fields: QuotaFields): Quotas {
  const entries = Object.entries(QUOTAS) as [keyof Quotas, { readonly field: keyof QuotaFields }][]
  const changed = entries.flatMap(([name, { field }]) => (fields[field] === undefined ? [] : [[name, fields[field]]]))
  return { ...NONE, ...before, ...(Object.fromEntries(changed) as Partial<Quotas>) }
}
