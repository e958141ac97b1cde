import type { Distribution } from '../support/distribution.ts'

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

export interface NeighbourFigures {
  readonly all: Distribution
  readonly kinds: Readonly<Record<Kind, Distribution>>
  /** Answers that never came or were not a success, by status or code. */
  readonly lost: Readonly<Record<string, number>>
  /** How late requests were sent because this process was late itself. */
  readonly late: Distribution
}
