import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  type BrotliOptions,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
  zstdCompress,
  zstdCompressSync,
  type ZstdOptions,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FairSlots } from '../../threads/fair-slots.ts'

/** A smaller answer stays as it is: on a line of 1 Mbit a second it takes 16 ms at most, less than a round trip. */
const BYTES_MIN = 2_048
/** Up to this size an answer is compressed on the spot, well within the slice of a millisecond or two that work may take. */
const AT_ONCE_BYTES_MAX = 32 * 1_024

type Coding = 'zstd' | 'br' | 'gzip'

interface Compressor {
  readonly atOnce: (json: Buffer) => Buffer
  readonly inPool: (json: Buffer) => Promise<Buffer>
}

/*
 * The lowest levels. At Node's default levels and in its pool of threads, compressing an answer of ten entries costs more
 * processor time than the search itself (`bench:search`, row Accept-Encoding), for answers that are a few percent smaller.
 */
const ZSTD: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const GZIP: ZlibOptions = { level: 1 }
const brotliFor = ({ length }: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const zstd = promisify(zstdCompress)

/** The codings that an answer can have, in the order of preference among equals. */
const CODINGS: Readonly<Record<Coding, Compressor>> = {
  zstd: { atOnce: (json) => zstdCompressSync(json, ZSTD), inPool: (json) => zstd(json, ZSTD) },
  br: {
    atOnce: (json) => brotliCompressSync(json, brotliFor(json)),
    inPool: (json) => brotli(json, brotliFor(json)),
  },
  gzip: { atOnce: (json) => gzipSync(json, GZIP), inPool: (json) => gzipped(json, GZIP) },
}

/** Passwords and files need Node's pool of threads too: answers get half of it, and tenants take turns. */
const slots = new FairSlots({ slots: 2 })

/**
 * An onSend hook. Compresses JSON of the API as the client's Accept-Encoding prefers. Streams go out as they are, and
 * so do answers without an owner: what they say can be chosen by strangers.
 */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): Promise<unknown> | void {
  const accepted = request.headers['accept-encoding']
  const coding = accepted === undefined || !mayCompress(request, reply, payload) ? null : preferredCoding(accepted)
  if (coding === null) return done(null)
  const json = typeof payload === 'string' ? Buffer.from(payload) : (payload as Buffer)
  if (json.length > AT_ONCE_BYTES_MAX) return compressInPool(request, reply, json, coding)
  const bytes = CODINGS[coding].atOnce(json)
  nameCoding(reply, coding)
  done(null, bytes)
}

async function compressInPool(
  request: FastifyRequest,
  reply: FastifyReply,
  json: Buffer,
  coding: Coding,
): Promise<Buffer> {
  const bytes = await slots.run(request.caller.tenant.id, () => CODINGS[coding].inPool(json))
  nameCoding(reply, coding)
  return bytes
}

function nameCoding(reply: FastifyReply, coding: Coding): void {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter((each) => each !== undefined).join(', ')
  reply.header('content-encoding', coding).header('vary', vary).removeHeader('content-length')
}

function mayCompress(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  const { method, url, caller } = request
  const isText = typeof payload === 'string' || payload instanceof Buffer
  if (!isText || payload.length < BYTES_MIN || method === 'HEAD' || caller === null) return false
  const type = reply.getHeader('content-type')
  const isJson = typeof type === 'string' && type.startsWith('application/json')
  return isJson && url.startsWith('/api/') && !reply.hasHeader('content-encoding') && isAskedForByItsOwner(request)
}

/**
 * Whether the request is surely its sender's own. A foreign page can make a browser send the session's cookie, with words
 * of the page's choice that the answer repeats beside what the page must not know. Whoever sees the length of the
 * compressed answer on its way could then guess that letter by letter (BREACH, Gluck, Harris and Prado 2013).
 */
function isAskedForByItsOwner({ caller, headers }: FastifyRequest): boolean {
  return caller.credentialKind !== 'session' || headers['sec-fetch-site'] === 'same-origin'
}

const ACCEPTED = /^\s*([a-z-]+|\*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/** The coding that weighs most in Accept-Encoding (RFC 9110, section 12.5.3); null if none of ours is accepted. */
export function preferredCoding(header: string): Coding | null {
  const weights = new Map<string, number>()
  for (const range of header.split(',')) {
    const [, coding, weight = '1'] = ACCEPTED.exec(range) ?? []
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight))
  }
  let preferred: Coding | null = null
  // An answer as it is may weigh more than any coding.
  let weightMax = Math.max(0, (weights.get('identity') ?? 0) - 0.001)
  for (const coding of Object.keys(CODINGS) as Coding[]) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight <= weightMax) continue
    preferred = coding
    weightMax = weight
  }
  return preferred
}
