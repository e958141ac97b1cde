import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { Fault, invalid } from '../../faults.ts'
import { ByteCollector } from '../../byte-collector.ts'
import { clientAddress } from '../../throttling/client-address.ts'
import { workFor } from '../../hidden-parameters.ts'
import {
  BAD_LENGTH,
  BODY_TIMEOUT,
  BODY_TOO_LARGE,
  HttpRefusal,
  sendRefusal,
  TOO_MANY_BODIES,
  unsupportedMediaType,
} from '../errors.ts'
import { FORM_TYPE, JSON_TYPE, MERGE_PATCH_TYPE, NDJSON_TYPE } from '../../contract/media-types.ts'
import { type HeldMemory, SMALL_BYTES } from '../transport/held-memory.ts'
import { parseJson } from '../../contract/json.ts'
import type { HttpApp } from '../route.ts'
import { textFaults } from '../../contract/text-faults.ts'
import { ownerOf, type Turns } from '../transport/turns.ts'

const UTF8_CHARSET = /^charset\s*=\s*"?utf-?8"?$/i
const SWEEP_INTERVAL_MS = 1_000
const FORM_FIELDS_MAX = 50
const LARGE_BYTES = 65_536

/**
 * Accepts JSON on every route, merge patches and NDJSON as a raw stream on routes that ask for them, and answers 415 to
 * other types.
 */
export function acceptBodies(app: HttpApp, heldMemory: HeldMemory, turns: Turns): void {
  app.removeAllContentTypeParsers()
  for (const jsonType of [JSON_TYPE, MERGE_PATCH_TYPE]) {
    app.addContentTypeParser(jsonType, (request, stream, done) => {
      const type = request.headers['content-type'] as string
      readBody(request, stream, { heldMemory, turns }, done, (bytes) => {
        const { exactNumbers, form, mergePatch } = request.routeOptions.config
        const isTaken = form !== true && (jsonType === JSON_TYPE || mergePatch === true)
        if (!isTaken || (type.length > jsonType.length && !isUtf8(type.slice(jsonType.length)))) {
          throw new HttpRefusal(unsupportedMediaType(request))
        }
        return bytes.length < 5 ? parseShort(bytes, request) : parseJson(bytes, ['body'], exactNumbers)
      })
    })
  }
  app.addContentTypeParser(FORM_TYPE, (request, stream, done) => {
    readBody(request, stream, { heldMemory, turns }, done, (bytes) => {
      if (request.routeOptions.config.form !== true) throw new HttpRefusal(unsupportedMediaType(request))
      const fields = parseForm(bytes.toString('utf8'))
      if (fields === null) throw invalid(['body'], 'too_long', `Form should have at most ${FORM_FIELDS_MAX} fields`)
      const unreadable = textFaults(fields, ['body'])
      if (unreadable.length > 0) throw new Fault('invalid', unreadable)
      return fields
    })
  })
  app.addContentTypeParser(NDJSON_TYPE, (request, stream, done) => {
    if (request.routeOptions.config.ndjson === true) done(null, stream)
    else done(new HttpRefusal(unsupportedMediaType(request)))
  })
}

/**
 * Reads a body up to the limit of its route and calls `parse`. Fastify's own reader would keep a list of the pieces,
 * which costs too much memory: see `ByteCollector`.
 */
function readBody(
  request: FastifyRequest,
  stream: Readable,
  { heldMemory, turns }: { heldMemory: HeldMemory; turns: Turns },
  done: (error: Error | null, body?: unknown) => void,
  parse: (bytes: Buffer) => unknown,
): void {
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return done(new HttpRefusal(BODY_TOO_LARGE))
  const isAnnounced = !Number.isNaN(announced)
  try {
    if (announced > SMALL_BYTES) heldMemory.takeBody(request, announced)
  } catch (error) {
    return done(error as Error)
  }
  const body = new ByteCollector()
  const startedMs = performance.now()
  let counted = SMALL_BYTES
  const finish = (error: Error | null, value?: unknown): void => {
    stream.off('data', take).off('end', end).off('error', finish)
    // The stream calls back outside of the request's async context, so the tenant is taken here.
    const { caller } = request
    workFor(caller === null ? '' : caller.tenant.id, () => done(error, value), request.record)
  }
  const take = (piece: Buffer): void => {
    body.add(piece)
    if (body.length > limit) return finish(new HttpRefusal(BODY_TOO_LARGE))
    if (isAnnounced || body.length <= counted) return
    try {
      // Counts as many bytes as `ByteCollector` allocates.
      heldMemory.takeBody(request, body.length)
      counted += body.length
    } catch (error) {
      finish(error as Error)
    }
  }
  const end = (): void => {
    if (isAnnounced && body.length !== announced) return finish(new HttpRefusal(BAD_LENGTH))
    // The body is complete. A broken connection no longer matters while the request waits.
    stream.off('error', finish)
    request.record.receivingMs = performance.now() - startedMs
    // A large body takes milliseconds to parse, so large bodies take turns.
    if (body.length > LARGE_BYTES) turns.enter(ownerOf(request), read)
    else read()
  }
  const read = (): void => {
    let value: unknown
    try {
      value = parse(body.take())
    } catch (error) {
      return finish(error as Error)
    }
    finish(null, value)
  }
  stream.on('data', take).on('end', end).on('error', finish)
}

/**
 * Returns the fields of a form. A repeated field becomes a list, which no form's contract accepts.
 * @returns null for more fields than any form needs, because each would cost time to check
 */
function parseForm(text: string): Record<string, string | string[]> | null {
  if (text.split('&', FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX) return null
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  const params = new URLSearchParams(text)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name).filter((value) => value !== '')
    if (values.length > 0) fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

/**
 * Tells whether the parameters of a content type are empty or say UTF-8. The header is split rather than matched by one
 * pattern, so that the time is linear even for a header full of spaces.
 */
export function isUtf8(parameters: string): boolean {
  const [before, ...parts] = parameters.split(';').map((part) => part.trim())
  if (parts.at(-1) === '') parts.pop()
  return before === '' && (parts.length === 0 || (parts.length === 1 && UTF8_CHARSET.test(parts[0])))
}

/** Parses a body that may be empty or `null`, which is a fault only if the route requires a body. */
function parseShort(bytes: Buffer, request: FastifyRequest): unknown {
  const { schema, config } = request.routeOptions
  const wantsBody = schema?.body !== undefined && config.bodyOptional !== true
  if (bytes.length === 0) {
    if (!wantsBody) return undefined
    throw invalid(['body'], 'json_invalid', 'Invalid JSON: no value at character 1')
  }
  const value = parseJson(bytes)
  if (value !== null || !wantsBody) return value
  throw new Fault('invalid', [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }])
}

/** Gives a request without a body an empty one, on a route whose body may be left out. */
export function emptyWhenAbsent(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {}
  done()
}

/** Refuses other types than NDJSON before the body is read. */
export function demandNdjson(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const type = request.headers['content-type']
  if (type === undefined || type.split(';')[0].trim().toLowerCase() !== NDJSON_TYPE) {
    done(new HttpRefusal(unsupportedMediaType(request)))
  } else done()
}

/**
 * Ends requests whose JSON body takes too long to arrive, and the newest of an address that has too many bodies under
 * way. Node's own limit would end long NDJSON imports too. So this class keeps the requests with a JSON body and checks
 * them once a second.
 */
export class BodyDeadlines {
  private readonly waiting = new Map<FastifyReply, number>()
  private readonly timeoutMs: number
  private readonly perAddress: number
  private readonly timer: NodeJS.Timeout

  /**
   * @param timeoutMs time in which a body must arrive
   * @param perAddress most bodies of one address that are under way for more than a second; a proxy's clients each have
   *   their own address
   */
  constructor(timeoutMs: number, perAddress: number) {
    this.timeoutMs = timeoutMs
    this.perAddress = perAddress
    this.timer = setInterval(() => this.sweep(performance.now()), Math.min(SWEEP_INTERVAL_MS, timeoutMs))
    this.timer.unref()
  }

  /** Remembers a request whose body is incomplete. A preParsing hook. */
  readonly watch: preParsingHookHandler = (request, reply, payload, done) => {
    const raw = request.raw
    if (!raw.complete && raw.headers['content-type'] !== undefined) {
      this.waiting.set(reply, performance.now())
      raw.once('end', () => this.waiting.delete(reply))
    }
    done(null, payload)
  }

  close(): void {
    clearInterval(this.timer)
  }

  private sweep(nowMs: number): void {
    const counts = new Map<string, number>()
    // Oldest first.
    for (const [reply, sinceMs] of this.waiting) {
      const { raw, ip } = reply.request
      const isOver = raw.complete || raw.destroyed || reply.sent
      const waitedMs = nowMs - sinceMs
      if (!isOver && waitedMs < Math.min(SWEEP_INTERVAL_MS, this.timeoutMs)) return
      const address = clientAddress(ip)
      const count = (counts.get(address) ?? 0) + 1
      if (!isOver && waitedMs < this.timeoutMs && count <= this.perAddress) {
        counts.set(address, count)
        continue
      }
      this.waiting.delete(reply)
      if (!isOver) sendRefusal(waitedMs < this.timeoutMs ? TOO_MANY_BODIES : BODY_TIMEOUT, reply)
    }
  }
}
