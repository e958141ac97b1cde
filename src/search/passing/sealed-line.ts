/**
 * The way to a process of another machine: TLS 1.3 with a key that all processes of the installation share (RFC 8446,
 * section 2.2) in place of certificates. Each end proves that it has the key before the other one takes or sends a byte.
 * Keys of a connection come from a fresh key exchange, so the shared key opens no connection that was recorded earlier.
 */
import { isIP, type Socket } from 'node:net'
import { connect, createServer, type SecureContextOptions, type Server } from 'node:tls'
import { type HostPort, hostPortText } from '../../platform/host-port.ts'
import type { Line } from './line.ts'

/** What the key is derived for from the installation's secret key. */
export const PASSING_KEY_PURPOSE = 'searches passed on between machines'
/** Named in the handshake, in the clear. */
const KEY_NAME = 'knowledge-search'
const SHAPE = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  // A connection may last for months; the keys of AES-GCM would have to change meanwhile (RFC 8446, section 5.5).
  ciphers: 'TLS_CHACHA20_POLY1305_SHA256',
} as const satisfies SecureContextOptions
/** How long a connection and its handshake may take. */
const HANDSHAKE_MS = 5_000
/** Connections that have not proved yet that they have the key. */
const UNPROVED_MAX = 64
/** A machine that is gone without a word is noticed within about twice the time. */
const KEEP_ALIVE_MS = 10_000
const RETRY_MAX_MS = 5_000
/** Addresses that have shown another key are remembered, so that each is told of once. */
const STRANGERS_MAX = 64

/** @param handshakeMs how long a connection and its handshake may take */
export function sealedLine(address: HostPort, key: Buffer, handshakeMs = HANDSHAKE_MS): Line {
  return {
    address: hostPortText(address),
    open: () => openSealed(address, key, handshakeMs),
    openedBy: 'secureConnect',
    isOtherKey: (error) => /DECRYPT_ERROR/.test((error as { code?: string }).code ?? ''),
    retryMaxMs: RETRY_MAX_MS,
  }
}

function openSealed({ host, port }: HostPort, key: Buffer, handshakeMs: number): Socket {
  const socket = connect({
    ...SHAPE,
    host,
    port,
    // Also where the environment says otherwise.
    rejectUnauthorized: true,
    pskCallback: () => ({ psk: key, identity: KEY_NAME }),
    // Asked about certificates only: whoever shows one has not proved to have the key.
    checkServerIdentity: () => new Error('a certificate in place of the key'),
  })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  const begin = (): void => {
    const late = setTimeout(() => socket.destroy(lateError()), handshakeMs).unref()
    const end = (): void => clearTimeout(late)
    socket.once('secureConnect', end).once('close', end)
  }
  // Looking up a name has bounds of its own, and giving up early would only queue another look-up.
  if (isIP(host) === 0) socket.once('lookup', begin)
  else begin()
  return socket
}

function lateError(): Error {
  return Object.assign(new Error('the handshake took too long'), { code: 'ETIMEDOUT' })
}

/**
 * A server whose `secureConnection` brings connections of processes that have the key. All others are closed: at once
 * if they show something else, after five seconds if they show nothing, and earlier if many others come after them.
 * @param onOtherKey told once of each address that has shown another key
 * @param handshakeMs how long a handshake may take
 */
export function createSealedServer(
  key: Buffer,
  onOtherKey: (address: string) => void,
  handshakeMs = HANDSHAKE_MS,
): Server {
  const server = createServer({
    ...SHAPE,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    handshakeTimeout: handshakeMs,
    pskCallback: (_socket, name) => (name === KEY_NAME ? key : null),
  })
  const unproved = new Map<string, Socket>()
  const strangers = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const name = endOf(socket)
    unproved.set(name, socket)
    socket.on('close', () => unproved.delete(name))
    socket.on('error', () => undefined)
    // The one that waits for longest: a process of ours needs milliseconds.
    const [first] = unproved.values()
    if (unproved.size > UNPROVED_MAX) first.destroy()
  })
  server.on('secureConnection', (socket) => unproved.delete(endOf(socket)))
  server.on('tlsClientError', (error: Error & { readonly code?: string }, socket) => {
    const address = socket.remoteAddress
    // Node leaves a connection open that has shown nothing in time.
    socket.destroy()
    const isKnown = address === undefined || strangers.has(address) || strangers.size >= STRANGERS_MAX
    if (isKnown || error.code !== 'ERR_SSL_BINDER_DOES_NOT_VERIFY') return
    strangers.add(address)
    onOtherKey(address)
  })
  return server
}

/** The other end of a connection: the same for the connection and for TLS on it. */
function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
