import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FairSlots } from '../../threads/fair-slots.ts'

/** Smaller answers fit into one packet as they are. */
const BYTES_MIN = 1_024

type Coding = 'zstd' | 'br' | 'gzip'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const zstd = promisify(zstdCompress)

/** The codings that an answer can have, cheapest first. Higher qualities take several times as long for a few percent. */
const CODINGS: Readonly<Record<Coding, (json: Buffer) => Promise<Buffer>>> = {
  zstd: (json) => zstd(json),
  br: (json) =>
    brotli(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: json.length } }),
  gzip: (json) => gzipped(json, { level: 5 }),
}

/** Compression uses Node's pool of threads, which passwords and files need too: half of it, and tenants in turn. */
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
  return compressed(request, reply, payload as string | Buffer, coding)
}

async function compressed(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  coding: Coding,
): Promise<Buffer> {
  const json = typeof payload === 'string' ? Buffer.from(payload) : payload
  const bytes = await slots.run(caller.tenant.id, () => CODINGS[coding](json))
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter((each) => each !== undefined).join(', ')
  reply.header('content-encoding', coding).header('vary', vary).removeHeader('content-length')
  return bytes
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
