import { connect, type Socket } from 'node:net'

/** Why a process cannot be asked, beyond its being away. */
export interface LineTrouble {
  /** It has another secret key, runs another program, or was not reached for a while. */
  readonly kind: 'other-key' | 'other-program' | 'unreachable'
  /** The system's code of the last failure, where there is one. */
  readonly code: string | null
}

/** A way to another process. */
export interface Line {
  readonly address: string
  /** Begins to connect. Failures are events of the socket. */
  open(): Socket
  /** The event after which the other end is known to be a process of this installation. */
  readonly openedBy: 'connect' | 'secureConnect'
  /** Whether the connection has failed because the other end has another key. */
  isOtherKey(error: Error): boolean
  /** The longest pause before the next attempt to connect. */
  readonly retryMaxMs: number
}

/** Pause before the first attempt to connect again. */
export const RETRY_FIRST_MS = 250

/** The way to a process of this machine. @param path of its Unix socket, which only this user may open */
export function unixLine(path: string): Line {
  return {
    address: path,
    open: () => connect(path),
    openedBy: 'connect',
    isOtherKey: () => false,
    retryMaxMs: RETRY_FIRST_MS,
  }
}
