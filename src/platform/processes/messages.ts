/** What the supervisor and its service processes tell each other over Node's channel between them. */

/** The process's number, from 1; a replacement has the number of the process that it replaces. */
export const NUMBER_VARIABLE = 'KNOWLEDGE_PROCESS'
/** How many processes there are. */
export const COUNT_VARIABLE = 'KNOWLEDGE_PROCESS_COUNT'
/** The folder of the sockets at which processes reach each other. */
export const SOCKETS_VARIABLE = 'KNOWLEDGE_PROCESS_SOCKETS'
/** Set for the process that starts alone, before the others. */
export const FIRST_VARIABLE = 'KNOWLEDGE_FIRST_PROCESS'

export type FromProcess =
  /** The process listens, and has everything that it waits for at its start. The others reach it at the socket, if any. */
  | { readonly kind: 'serving'; readonly socket: string | null }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'scrape'; readonly call: number }
  /** The process's own metrics, in answer to `tell-metrics`. */
  | { readonly kind: 'metrics'; readonly call: number; readonly text: string }

export type ToProcess =
  | { readonly kind: 'stop'; readonly signal: StopSignal }
  /** Another process has taken over: finish what runs, and end. */
  | { readonly kind: 'hand-over' }
  /** Numbers and sockets of the processes that serve. */
  | { readonly kind: 'peers'; readonly peers: readonly (readonly [number, string])[] }
  | { readonly kind: 'tell-metrics'; readonly call: number }
  /** The metrics of all processes, in answer to `scrape`. */
  | { readonly kind: 'scraped'; readonly call: number; readonly text: string }

export type StopSignal = 'SIGINT' | 'SIGTERM'
