import { Child } from '../support/child.ts'
import { type Distribution, distribution } from '../support/distribution.ts'

export type Headers = Readonly<Record<string, string>>

export type ToSearchers =
  | {
      /** Visitors that each send the next search a moment after the last was answered. */
      readonly kind: 'visit'
      readonly url: string
      readonly headers: Headers
      readonly path: string
      /** The bodies of each visitor, sent in turns. */
      readonly visitors: readonly (readonly string[])[]
      readonly thinkMs: number
    }
  | {
      /** Searches at fixed times, also while earlier ones wait. */
      readonly kind: 'pace'
      readonly url: string
      readonly headers: Headers
      readonly path: string
      readonly bodies: readonly string[]
      readonly everyMs: number
    }
  | { readonly kind: 'stop' }

/** A search and its answer. */
export interface Search {
  /** Moment at which the search was sent, or was due where searches are paced, on the clock of `now`. */
  readonly began: number
  readonly ms: number
  /** Status of the answer; 0 where the connection broke. */
  readonly status: number
  /** Documents that the index did not have yet, by the answer's header; null without the header. */
  readonly behind: number | null
}

/** The searches that were answered so far: none once the first is on its way, then all. */
export interface FromSearchers {
  readonly searches: readonly Search[]
}

/** Returns milliseconds since 1970 from a clock that is fine enough for latencies and the same in all processes. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** Reads `X-Search-Behind`: the number, 1 for `true`, null where the header is absent. */
export function behindOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null
  const count = Number(header)
  return Number.isFinite(count) ? count : 1
}

/** Figures of some searches. */
export interface SearchFigures extends Distribution {
  /** Number of searches by the status of their answers. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of answers that said that the index is behind, and the most documents that one of them named. */
  readonly behind: number
  readonly behindMax: number
}

/** Returns the figures of the searches that began at or after `from` and before `until`. */
export function figuresOf(searches: readonly Search[], from = -Infinity, until = Infinity): SearchFigures {
  const some = searches.filter(({ began }) => began >= from && began < until)
  const statuses: Record<string, number> = {}
  for (const { status } of some) statuses[status] = (statuses[status] ?? 0) + 1
  const behind = some.flatMap((search) => (search.behind === null ? [] : [search.behind]))
  return {
    ...distribution(some.map(({ ms }) => ms)),
    statuses,
    behind: behind.length,
    behindMax: behind.reduce((most, each) => Math.max(most, each), 0),
  }
}

/** Searches from a process of its own, so that neither the pusher nor the checks of this process delay them. */
export class Searchers {
  readonly #child = new Child<ToSearchers, FromSearchers>(new URL('./searchers-process.ts', import.meta.url))

  /** Resolves when the first search is on its way. */
  async start(job: Exclude<ToSearchers, { kind: 'stop' }>): Promise<void> {
    this.#child.send(job)
    await this.#child.next()
  }

  /** Ends the searches, waits for the answers of those under way, and ends the process. @returns all searches */
  async stop(): Promise<readonly Search[]> {
    this.#child.send({ kind: 'stop' })
    const { searches } = await this.#child.next()
    await this.#child.close()
    return searches
  }
}
