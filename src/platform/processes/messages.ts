/** Variables and messages by which the supervisor and its service processes speak to each other. */

/** Variable with the process's number, from 1; a replacement has the number of the process that it replaces. */
export const NUMBER_VARIABLE = 'KNOWLEDGE_PROCESS'
/** Variable with the number of processes. */
export const COUNT_VARIABLE = 'KNOWLEDGE_PROCESS_COUNT'
/** Variable with the folder of the sockets at which processes reach each other. */
export const SOCKETS_VARIABLE = 'KNOWLEDGE_PROCESS_SOCKETS'
/** Variable that is `true` for the process that starts alone, before the others. */
export const FIRST_VARIABLE = 'KNOWLEDGE_FIRST_PROCESS'

/** Message of a process to its supervisor, over Node's channel between them. */
export type FromProcess =
  /** The process listens, and its start is complete. Other processes reach it at the socket; null when it has none. */
  | { readonly kind: 'serving'; readonly socket: string | null }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'scrape'; readonly call: number }
  /** The process's own metrics, in answer to `tell-metrics`. */
  | { readonly kind: 'metrics'; readonly call: number; readonly text: string }

/** Message of the supervisor to a process. */
export type ToProcess =
  | { readonly kind: 'stop'; readonly signal: StopSignal }
  /** Another process has taken over: finish the running requests, and end. */
  | { readonly kind: 'hand-over' }
  /** Numbers and sockets of the processes that serve. */
  | { readonly kind: 'peers'; readonly peers: readonly (readonly [number, string])[] }
  | { readonly kind: 'tell-metrics'; readonly call: number }
  /** The metrics of all processes, in answer to `scrape`. */
  | { readonly kind: 'scraped'; readonly call: number; readonly text: string }

export type StopSignal = 'SIGINT' | 'SIGTERM'
