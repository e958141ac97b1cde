/** What the connections of a database do, in the thread that asks. */
export interface Connections {
  /** Connections at work. Of SQLite, only the one that writes is counted: reads never wait for it. */
  readonly inUse: number
  readonly idle: number
  /** How much waits for a connection. */
  readonly waiting: number
  /** How many transactions wait for their tenant's turn. */
  readonly writesWaiting: number
  /** Most connections there may be. */
  readonly max: number
}
