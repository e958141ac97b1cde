/** The kinds of requests that the neighbour sends in turn. */
export const KINDS = ['search', 'read', 'write'] as const
export type Kind = (typeof KINDS)[number]

export type ToNeighbour =
  | {
      readonly kind: 'start'
      readonly url: string
      readonly key: string
      readonly ids: readonly string[]
      readonly queries: readonly string[]
      readonly everyMs: number
    }
  | { readonly kind: 'phase' }
  | { readonly kind: 'report' }

/** Milliseconds that the neighbour waited for answers. */
export interface NeighbourFigures {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly p99Of: Readonly<Record<Kind, number>>
  /** Number of answers that never came or were not a success. */
  readonly lost: number
}
