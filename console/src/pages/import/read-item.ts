import type { UnusableFile } from './shared.js'

/** Choices of a person for an import of entries. */
export interface ImportOptions {
  /** Visibility of entries that state none; undefined leaves it to the service, which keeps that of known entries. */
  readonly visibility: string | undefined
  /** Name of the folder that files without one count as being in. */
  readonly folder: string
}

/** Reasons why a file or line cannot become an entry before the service has seen it. */
export type ReadFault = UnusableFile['reason'] | 'notObject' | 'notJson'

/** A file or line that was read, with the entry to send or the reason why there is none. */
export interface ReadItem {
  readonly file: string
  /** Number of the line, from 1; null for a file that is one entry. */
  readonly line: number | null
  readonly bytes: number
  readonly entry: Readonly<Record<string, unknown>> | null
  readonly fault: ReadFault | null
  /** Text of the line as it is in its file; null for a file that is one entry. */
  readonly raw: string | null
}
