/**
 * Connects processes of different machines: by TLS 1.3 with a key that all processes of the installation share (RFC
 * 8446, section 2.2), in place of certificates. Each end proves that it has the key before the other end accepts or
 * sends a byte. The keys of a connection come from a fresh key exchange, so the shared key does not decrypt a recorded
 * connection.
 */
import { isIP, type Socket } from 'node:net'
import { connect, createServer, type SecureContextOptions, type Server } from 'node:tls'
import { type HostPort, hostPortText } from '../../platform/host-port.ts'
import type { Line } from './line.ts'

/** Purpose for which the shared key is derived from the installation's secret key. */
export const PASSING_KEY_PURPOSE = 'searches passed on between machines'
/** Name of the key, which the handshake sends unencrypted. */
const KEY_NAME = 'knowledge-search'
const SHAPE = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  // A connection may last for months; the keys of AES-GCM would have to change meanwhile (RFC 8446, section 5.5).
  ciphers: 'TLS_CHACHA20_POLY1305_SHA256',
} as const satisfies SecureContextOptions
/** Milliseconds that connecting and the handshake may take. */
const HANDSHAKE_MS = 5_000
/** Most connections that have not proved yet that they have the key. */
const UNPROVED_MAX = 64
/** Milliseconds of silence before a probe. A machine that vanished is noticed within about twice the time. */
const KEEP_ALIVE_MS = 10_000
const RETRY_MAX_MS = 5_000
/** Most addresses that have shown another key and are remembered, so that each is reported once. */
const STRANGERS_MAX = 64

/**
 * Returns the line to a process of another machine.
 * @param handshakeMs how long connecting and the handshake may take
 */
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
    // Set here, because the environment could switch the check off (NODE_TLS_REJECT_UNAUTHORIZED).
    rejectUnauthorized: true,
    pskCallback: () => ({ psk: key, identity: KEY_NAME }),
    // TLS calls this for certificates alone, and a server that shows one has not proved that it has the key.
    checkServerIdentity: () => new Error('a certificate in place of the key'),
  })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  const begin = (): void => {
    const late = setTimeout(() => socket.destroy(lateError()), handshakeMs).unref()
    const end = (): void => clearTimeout(late)
    socket.once('secureConnect', end).once('close', end)
  }
  // The look-up of a name has limits of its own, and giving it up early would only queue another look-up.
  if (isIP(host) === 0) socket.once('lookup', begin)
  else begin()
  return socket
}

function lateError(): Error {
  return Object.assign(new Error('the handshake took too long'), { code: 'ETIMEDOUT' })
}

/**
 * Creates a server whose event `secureConnection` gives connections of processes that have the key. The server closes
 * all other connections: at once if they show something else, after five seconds if they show nothing, and earlier if
 * too many of them come after one.
 * @param onOtherKey called once for each address that has shown another key
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
    // Closes the oldest connection: a process of the installation needs only milliseconds to prove its key.
    const [oldest] = unproved.values()
    if (unproved.size > UNPROVED_MAX) oldest.destroy()
  })
  server.on('secureConnection', (socket) => unproved.delete(endOf(socket)))
  server.on('tlsClientError', (error: Error & { readonly code?: string }, socket) => {
    const address = socket.remoteAddress
    // Node itself leaves a connection open that has shown nothing in time.
    socket.destroy()
    const isSkipped = address === undefined || strangers.has(address) || strangers.size >= STRANGERS_MAX
    if (isSkipped || error.code !== 'ERR_SSL_BINDER_DOES_NOT_VERIFY') return
    strangers.add(address)
    onOtherKey(address)
  })
  return server
}

/**
 * Returns a name of a connection's other end. It is the same for the socket of the connection and for its TLS socket.
 */
function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
