import type { Client } from '../client.ts'

/** A thing that clients write. */
export interface Subject {
  readonly name: string
  readonly id: string
}

/** A thing that is stored, with the mark of its last write. */
export interface MarkedSubject extends Subject {
  readonly mark: number
}

/** Content of one line of a bulk request. */
interface Line {
  readonly name: string
  readonly mark: number
}

/** One kind of things, and the requests that write and list them. Every request rejects when it gets no answer. */
export interface Kind {
  readonly name: string
  /** Type of the kind in the audit log, which has one record for each write; null where it has none. */
  readonly audited: string | null
  /** Whether a write that was answered must be there. */
  readonly isKept: boolean
  /**
   * Creates a thing.
   * @returns its id
   */
  readonly create?: (client: Client, name: string, mark: number) => Promise<string>
  readonly change?: (client: Client, subject: Subject, mark: number) => Promise<void>
  readonly remove?: (client: Client, subject: Subject) => Promise<void>
  /** Writes many things at once, each acknowledged by `stored` on its own. */
  readonly push?: (client: Client, lines: readonly Line[], stored: (name: string, id: string) => void) => Promise<void>
  /** Removes all of several things in one write, or none. */
  readonly removeAll?: (client: Client, subjects: readonly Subject[]) => Promise<void>
  /** Lists all things of the kind that the tenant has. */
  readonly list: (client: Client) => Promise<MarkedSubject[]>
}

/** Returns the mark at the end of a text. */
export function markIn(text: string): number {
  const mark = Number(/ (\d+)$/.exec(text)?.[1])
  if (!Number.isInteger(mark)) throw new Error(`no mark in "${text}"`)
  return mark
}
