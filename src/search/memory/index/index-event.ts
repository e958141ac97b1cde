/** Tells what became of an index or its snapshot, for metrics. */
export type IndexEvent =
  /** It was brought up to date for its first search. */
  | { readonly kind: 'built'; readonly from: 'database' | 'snapshot'; readonly ms: number }
  /** It made room for another. */
  | { readonly kind: 'evicted' }
  /** The indexes of a tenant have come near the bound on them, beyond which the tenant's searches fail. */
  | { readonly kind: 'tight'; readonly tenantId: string; readonly percent: number }
  /**
   * Its snapshot was written; or deleted, because it was damaged or of another state of the database or program; or
   * could not be written or read.
   */
  | { readonly kind: 'saved' | 'discarded' | 'failed' }
