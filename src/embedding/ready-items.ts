import type { EmbeddingStatus } from './contract.ts'

/**
 * Returns how many items need no more work for the target model. `embedded` alone also counts those that have what
 * stands in for their vectors, and those that are read anew.
 */
export function readyItems({
  items,
  embedded,
  pending,
}: Pick<EmbeddingStatus, 'items' | 'embedded' | 'pending'>): number {
  return Math.max(0, Math.min(embedded, items - pending))
}
