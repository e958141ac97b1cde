/** State of a database's connections in the current thread. */
export interface Connections {
  /** Connections at work. Of SQLite, only the one that writes is counted: reads never wait for it. */
  readonly inUse: number
  readonly idle: number
  /** Number of statements and transactions that wait for a connection. */
  readonly waiting: number
  /** Number of transactions that wait for their tenant's turn. */
  readonly writesWaiting: number
  /** Most connections that there may be. */
  readonly max: number
}
