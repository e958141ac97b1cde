/** An event in the life of an index or its snapshot, for metrics. */
export type IndexEvent =
  /** The index was brought up to date for its first search. */
  | { readonly kind: 'built'; readonly from: 'database' | 'snapshot'; readonly ms: number }
  /** The index was dropped to make room for another. */
  | { readonly kind: 'evicted' }
  /** The indexes of a tenant have come near the bound on them, beyond which documents are left out. */
  | { readonly kind: 'tight'; readonly tenantId: string; readonly percent: number }
  /** So many indexes whose snapshots this program cannot read are built while the service starts. */
  | { readonly kind: 'rebuilding'; readonly indexes: number }
  /**
   * The snapshot was written (`saved`); was deleted, because it was damaged or of another state of the database
   * (`discarded`); or could not be written or read (`failed`).
   */
  | { readonly kind: 'saved' | 'discarded' | 'failed' }
