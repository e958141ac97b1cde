import type { FastifyReply, FastifyRequest, onSendHookHandler, preParsingHookHandler } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { Fault } from '../../faults.ts'
import { clientAddress } from '../../throttling/client-address.ts'
import { setEveryHeader } from './traffic.ts'

const MEBIBYTE = 1_024 * 1_024
/** Bytes of one credential: four pages of the largest size, more than any client reads at once. */
export const HELD_BY_CREDENTIAL_MAX = 32 * MEBIBYTE
export const HELD_BY_TENANT_MAX = 128 * MEBIBYTE
/** Bytes of all visitors of a tenant's pages together, so that they leave room for the tenant's own people. */
const HELD_BY_VISITORS_MAX = 96 * MEBIBYTE
/** Bytes of answers that need no credential, such as the API reference. */
export const HELD_BY_ADDRESS_MAX = 32 * MEBIBYTE
/** Bytes that a connection buffers even when its client reads nothing. Smaller bodies and answers are not counted. */
export const SMALL_BYTES = 16_384
const RETRY_AFTER_SECONDS = 5

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory that is counted for this request until its answer ends; null when none is. */
    memoryShare: MemoryShare | null
  }
}

interface MemoryShare {
  readonly owners: readonly Owner[]
  bytes: number
}

type Owner = readonly [name: string, bytesMax: number]

/**
 * Counts the memory that requests hold for as long as their senders like: bodies that still arrive, and answers that
 * the client has not read. An owner above its bound gets 429 for anything that adds to its memory. An answer that fits
 * into the connection's buffer is not counted, so that most requests cost nothing here.
 */
export class HeldMemory {
  readonly #bytes = new Map<string, number>()
  /** Number of owners above their bound. */
  #full = 0

  /** Bytes that are counted now, of all owners. */
  get bytes(): number {
    return this.#bytes.values().reduce((sum, bytes) => sum + bytes, 0)
  }

  /**
   * Refuses a caller who holds too much memory, before any work is done.
   * @param ip address that the request came from
   * @throws Fault rate_limited of type too_many_unread_answers
   */
  admit(caller: Caller, ip: string): void {
    if (this.#full > 0 && this.#areFull(ownersOf(caller, ip))) throw tooMany(true)
  }

  /** Counts a body that may be large, while it arrives and until its request ends. A preParsing hook. */
  readonly expectBody: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.raw.headers
    const mayBeLarge = length === undefined ? coding !== undefined : Number(length) > SMALL_BYTES
    if (mayBeLarge) this.#hold(request, reply, ownersOfRequest(request), 0)
    done(null, payload)
  }

  /**
   * Counts bytes of a body before they are kept. Requests that were admitted at the same time can be refused here.
   * @throws Fault rate_limited like `admit`
   */
  takeBody(request: FastifyRequest, bytes: number): void {
    const { memoryShare } = request
    if (memoryShare === null) return
    if (this.#full > 0 && this.#areFull(memoryShare.owners)) throw tooMany(request.caller !== null)
    this.#keep(memoryShare, bytes)
  }

  /**
   * Counts an answer that has to wait, and refuses a large answer to an owner above its bound. The answer to a write is
   * never refused. An onSend hook.
   */
  readonly takeAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const bytes = request.method === 'HEAD' ? 0 : sizeOf(payload)
    const { socket } = reply.raw
    // Without a socket the answer waits behind another one on the same connection.
    const waits = bytes > SMALL_BYTES || socket === null || socket.writableLength > 0
    if (!waits || bytes === 0) return done()
    const owners = ownersOfRequest(request)
    if (bytes > SMALL_BYTES && this.#full > 0 && readsOnly(request) && this.#areFull(owners)) {
      // These headers belong to the replaced answer, for example its caching.
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
      setEveryHeader(reply)
      return done(tooMany(request.caller !== null))
    }
    this.#hold(request, reply, owners, bytes)
    done()
  }

  #hold(request: FastifyRequest, reply: FastifyReply, owners: readonly Owner[], bytes: number): void {
    // The client has gone: no answer waits, and `close` will not come again.
    if (reply.raw.closed) return
    if (request.memoryShare === null) {
      const share = (request.memoryShare = { owners, bytes: 0 })
      reply.raw.once('close', () => {
        request.memoryShare = null
        for (const owner of share.owners) this.#add(owner, -share.bytes)
      })
    }
    this.#keep(request.memoryShare, bytes)
  }

  #keep(share: MemoryShare, bytes: number): void {
    share.bytes += bytes
    for (const owner of share.owners) this.#add(owner, bytes)
  }

  #add([name, bytesMax]: Owner, bytes: number): void {
    const before = this.#bytes.get(name) ?? 0
    const after = before + bytes
    if (after === 0) this.#bytes.delete(name)
    else this.#bytes.set(name, after)
    this.#full += Number(after > bytesMax) - Number(before > bytesMax)
  }

  #areFull(owners: readonly Owner[]): boolean {
    return owners.some(([name, bytesMax]) => (this.#bytes.get(name) ?? 0) > bytesMax)
  }
}

/**
 * Returns the owners of a caller's memory. All visitors of a page share its publishable key, so each of their addresses
 * is an owner of its own.
 */
function ownersOf({ credentialId, tenant, publishable }: Caller, ip: string): Owner[] {
  const whole: Owner = [`tenant ${tenant.id}`, HELD_BY_TENANT_MAX]
  if (publishable === undefined) return [[`credential ${credentialId}`, HELD_BY_CREDENTIAL_MAX], whole]
  const visitors: Owner = [`visitors of ${tenant.id}`, HELD_BY_VISITORS_MAX]
  return [[`credential ${credentialId} at ${clientAddress(ip)}`, HELD_BY_CREDENTIAL_MAX], visitors, whole]
}

function ownersOfRequest({ caller, ip }: FastifyRequest): Owner[] {
  return caller === null ? [[`address ${clientAddress(ip)}`, HELD_BY_ADDRESS_MAX]] : ownersOf(caller, ip)
}

/**
 * Returns the bytes of an answer. Streams count as nothing: they are sent as fast as the client reads, and answers to
 * assistants have their own limit.
 */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string')
    return payload.length <= SMALL_BYTES / 3 ? payload.length : Buffer.byteLength(payload)
  return payload instanceof Uint8Array ? payload.byteLength : 0
}

/** Tells whether the request changed nothing, so that its answer may be refused. */
function readsOnly({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || routeOptions.config.readsOnly === true
}

function tooMany(hasCredential: boolean): Fault {
  const detail = {
    loc: hasCredential ? ['header', 'authorization'] : [],
    msg: 'Too many answers are still unread, or bodies still being sent: read answers to their end, then try again',
    type: 'too_many_unread_answers',
  }
  return new Fault('rate_limited', [detail], { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
