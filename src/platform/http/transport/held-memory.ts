import type { FastifyReply, FastifyRequest, onSendHookHandler, preParsingHookHandler } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { Fault } from '../../faults.ts'
import { clientAddress } from '../../throttling/client-address.ts'
import { setEveryHeader } from './traffic.ts'

const MEBIBYTE = 1_024 * 1_024
/** Four of the largest pages: more than anybody reads at once. */
export const HELD_BY_CREDENTIAL_MAX = 32 * MEBIBYTE
export const HELD_BY_TENANT_MAX = 128 * MEBIBYTE
/** Of answers that need no credential, such as the reference. */
export const HELD_BY_ADDRESS_MAX = 32 * MEBIBYTE
/** What a connection takes at once even when nobody reads it: up to here a body or an answer is not worth counting. */
export const SMALL_BYTES = 16_384
const RETRY_AFTER_SECONDS = 5

declare module 'fastify' {
  interface FastifyRequest {
    /** What is counted for this request until its answer has ended; null when nothing is. */
    held: Held | null
  }
}

interface Held {
  readonly owners: readonly Owner[]
  bytes: number
}

type Owner = readonly [name: string, bytesMax: number]

/**
 * Counts the memory that requests hold for as long as their senders like: bodies that are being read, and answers
 * that wait for whoever asked to take them. Who holds more than a bound gets 429 for whatever would add to it. An
 * answer that its connection takes at once is not counted, so that most requests cost nothing here.
 */
export class HeldMemory {
  readonly #bytes = new Map<string, number>()
  /** Owners beyond their bound. */
  #full = 0

  /** Bytes counted now, of everybody. */
  get bytes(): number {
    return this.#bytes.values().reduce((sum, bytes) => sum + bytes, 0)
  }

  /**
   * @throws Fault rate_limited of type too_many_unread_answers, before any work is done for somebody who holds too much
   */
  admit(caller: Caller): void {
    if (this.#full > 0 && this.#areFull(ownersOf(caller))) throw tooMany(true)
  }

  /** A preParsing hook: a body that may be large is counted as it comes, and for as long as its request runs. */
  readonly expectBody: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.raw.headers
    const mayBeLarge = length === undefined ? coding !== undefined : Number(length) > SMALL_BYTES
    if (mayBeLarge) this.#hold(request, reply, ownersOfRequest(request), 0)
    done(null, payload)
  }

  /**
   * Counts bytes of a body that are about to be kept.
   * @throws Fault rate_limited like `admit`: requests that were admitted together are told apart here
   */
  takeBody(request: FastifyRequest, bytes: number): void {
    const { held } = request
    if (held === null) return
    if (this.#full > 0 && this.#areFull(held.owners)) throw tooMany(request.caller !== null)
    this.#keep(held, bytes)
  }

  /**
   * An onSend hook: counts an answer that will wait, and refuses a large one to who holds too much already. What was
   * written is always told.
   */
  readonly takeAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const bytes = request.method === 'HEAD' ? 0 : sizeOf(payload)
    const { socket } = reply.raw
    // Without a socket it is behind another answer of its connection, which has yet to be taken.
    const waits = bytes > SMALL_BYTES || socket === null || socket.writableLength > 0
    if (!waits || bytes === 0) return done()
    const owners = ownersOfRequest(request)
    if (bytes > SMALL_BYTES && this.#full > 0 && readsOnly(request) && this.#areFull(owners)) {
      // They were those of the answer, such as how long it may be kept.
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
      setEveryHeader(reply)
      return done(tooMany(request.caller !== null))
    }
    this.#hold(request, reply, owners, bytes)
    done()
  }

  #hold(request: FastifyRequest, reply: FastifyReply, owners: readonly Owner[], bytes: number): void {
    // The client has gone: nothing waits for it, and no `close` would come any more.
    if (reply.raw.closed) return
    if (request.held === null) {
      const held = (request.held = { owners, bytes: 0 })
      reply.raw.once('close', () => {
        request.held = null
        for (const owner of held.owners) this.#add(owner, -held.bytes)
      })
    }
    this.#keep(request.held, bytes)
  }

  #keep(held: Held, bytes: number): void {
    held.bytes += bytes
    for (const owner of held.owners) this.#add(owner, bytes)
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

function ownersOf({ credentialId, tenant }: Caller): Owner[] {
  return [
    [`credential ${credentialId}`, HELD_BY_CREDENTIAL_MAX],
    [`tenant ${tenant.id}`, HELD_BY_TENANT_MAX],
  ]
}

function ownersOfRequest({ caller, ip }: FastifyRequest): Owner[] {
  return caller === null ? [[`address ${clientAddress(ip)}`, HELD_BY_ADDRESS_MAX]] : ownersOf(caller)
}

/** Streams are taken piece by piece, as fast as the client reads; what an assistant is answered has a budget. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string')
    return payload.length <= SMALL_BYTES / 3 ? payload.length : Buffer.byteLength(payload)
  return payload instanceof Uint8Array ? payload.byteLength : 0
}

/** Whether nothing has happened that an answer must tell. */
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
