import { connect, type Socket } from 'node:net'

/** The reason why no searches are passed on to a process, unless it has merely ended or is starting. */
export interface LineTrouble {
  /** The process has another secret key, runs a program with other messages, or was unreachable for a while. */
  readonly kind: 'other-key' | 'other-program' | 'unreachable'
  /** Error code of the operating system for the last failure; null without one. */
  readonly code: string | null
}

/** A way to connect to another process. */
export interface Line {
  readonly address: string
  /** Begins to connect. Failures come as events of the socket. */
  open(): Socket
  /** Event of the socket that proves that the other end is a process of this installation. */
  readonly openedBy: 'connect' | 'secureConnect'
  /** Tells whether a connection failed because the other end has another key. */
  isOtherKey(error: Error): boolean
  /** Milliseconds of the longest pause before the next attempt to connect. */
  readonly retryMaxMs: number
}

/** Milliseconds before the first attempt to connect again. */
export const RETRY_FIRST_MS = 250

/** Returns the line to a process of this machine. @param path path of its Unix socket, which only this user may open */
export function unixLine(path: string): Line {
  return {
    address: path,
    open: () => connect(path),
    openedBy: 'connect',
    isOtherKey: () => false,
    retryMaxMs: RETRY_FIRST_MS,
  }
}
