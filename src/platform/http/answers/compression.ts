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

/**
 * Bytes from which an answer is compressed. On a line of 1 Mbit a second a smaller one takes 16 ms at most, less than a
 * round trip.
 */
const BYTES_MIN = 2_048
/**
 * Bytes up to which an answer is compressed at once, well within the slice of a millisecond or two that work may take.
 */
const INLINE_BYTES_MAX = 32 * 1_024

type Coding = 'zstd' | 'br' | 'gzip'

interface Compressor {
  readonly inline: (json: Buffer) => Buffer
  readonly inPool: (json: Buffer) => Promise<Buffer>
}

/*
 * Cheap levels. At Node's default levels and in its pool of threads, compressing an answer of ten entries costs more
 * processor time than the search itself, for answers that are a few percent smaller (measured once when the levels were
 * chosen). `bench:search`, row Accept-Encoding, measures these levels.
 */
const ZSTD: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const GZIP: ZlibOptions = { level: 1 }
const brotliFor = ({ length }: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const zstd = promisify(zstdCompress)

/** Codings that an answer can have. Among codings of equal weight the first one wins. */
const CODINGS: Readonly<Record<Coding, Compressor>> = {
  zstd: { inline: (json) => zstdCompressSync(json, ZSTD), inPool: (json) => zstd(json, ZSTD) },
  br: {
    inline: (json) => brotliCompressSync(json, brotliFor(json)),
    inPool: (json) => brotli(json, brotliFor(json)),
  },
  gzip: { inline: (json) => gzipSync(json, GZIP), inPool: (json) => gzipped(json, GZIP) },
}

/** Answers get half of Node's pool of threads, because passwords and files need it too. Tenants take turns. */
const slots = new FairSlots({ slots: 2 })

/**
 * Compresses JSON of the API as the client's Accept-Encoding prefers, as an onSend hook. Streams stay uncompressed, and
 * so do answers to requests without a caller: a stranger can choose what those say.
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
  if (json.length > INLINE_BYTES_MAX) return compressInPool(request, reply, json, coding)
  const bytes = CODINGS[coding].inline(json)
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
  return isJson && url.startsWith('/api/') && !reply.hasHeader('content-encoding') && isSendersOwnRequest(request)
}

/**
 * Tells whether the request surely comes from its sender, and not from a foreign page. Such a page can make a browser
 * send the session's cookie, with words of the page's choice that the answer repeats beside a secret. An eavesdropper
 * who sees the length of the compressed answer could then guess the secret letter by letter (BREACH, Gluck, Harris and
 * Prado 2013).
 */
function isSendersOwnRequest({ caller, headers }: FastifyRequest): boolean {
  return caller.credentialKind !== 'session' || headers['sec-fetch-site'] === 'same-origin'
}

const ACCEPTED = /^\s*([a-z-]+|\*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * Returns the coding with the greatest weight in Accept-Encoding (RFC 9110, section 12.5.3); null if the service has
 * none of those accepted.
 */
export function preferredCoding(header: string): Coding | null {
  const weights = new Map<string, number>()
  for (const range of header.split(',')) {
    const [, coding, weight = '1'] = ACCEPTED.exec(range) ?? []
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight))
  }
  let preferred: Coding | null = null
  // The client may give an uncompressed answer more weight than any coding.
  let weightMax = Math.max(0, (weights.get('identity') ?? 0) - 0.001)
  for (const coding of Object.keys(CODINGS) as Coding[]) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight <= weightMax) continue
    preferred = coding
    weightMax = weight
  }
  return preferred
}
