import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { Fault, invalid } from '../../faults.ts'
import { ByteCollector } from '../../byte-collector.ts'
import { workFor } from '../../hidden-parameters.ts'
import { BAD_LENGTH, BODY_TIMEOUT, BODY_TOO_LARGE, HttpRefusal, sendRefusal, unsupportedMediaType } from '../errors.ts'
import { FORM_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../contract/media-types.ts'
import { type HeldMemory, SMALL_BYTES } from '../transport/held-memory.ts'
import { parseJson } from '../../contract/json.ts'
import type { HttpApp } from '../route.ts'
import { textFaults } from '../../contract/text-faults.ts'
import { ownerOf, type Turns } from '../transport/turns.ts'

const UTF8_CHARSET = /^charset\s*=\s*"?utf-?8"?$/i
const SWEEP_INTERVAL_MS = 1_000
const FORM_FIELDS_MAX = 50
const LARGE_BYTES = 65_536

/** JSON for every route, NDJSON as a raw stream for those that ask for it, 415 for everything else. */
export function acceptBodies(app: HttpApp, held: HeldMemory, turns: Turns): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, (request, stream, done) => {
    const type = request.headers['content-type'] as string
    readBody(request, stream, { held, turns }, done, (bytes) => {
      const { exactNumbers, form } = request.routeOptions.config
      if (form === true) throw new HttpRefusal(unsupportedMediaType(request))
      if (type.length > JSON_TYPE.length && !isUtf8(type.slice(JSON_TYPE.length))) {
        throw new HttpRefusal(unsupportedMediaType(request))
      }
      return bytes.length < 5 ? parseShort(bytes, request) : parseJson(bytes, ['body'], exactNumbers)
    })
  })
  app.addContentTypeParser(FORM_TYPE, (request, stream, done) => {
    readBody(request, stream, { held, turns }, done, (bytes) => {
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
 * Collects a body up to the limit of its route and calls `parse` with it. Fastify's own reading keeps a list of the
 * pieces, whatever they are: see `ByteCollector`.
 */
function readBody(
  request: FastifyRequest,
  stream: Readable,
  { held, turns }: { held: HeldMemory; turns: Turns },
  done: (error: Error | null, body?: unknown) => void,
  parse: (bytes: Buffer) => unknown,
): void {
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return done(new HttpRefusal(BODY_TOO_LARGE))
  const isAnnounced = !Number.isNaN(announced)
  try {
    if (announced > SMALL_BYTES) held.takeBody(request, announced)
  } catch (error) {
    return done(error as Error)
  }
  const body = new ByteCollector()
  let counted = SMALL_BYTES
  const finish = (error: Error | null, value?: unknown): void => {
    stream.off('data', take).off('end', end).off('error', finish)
    // The stream calls from outside of the request, and knows nothing of its tenant.
    const { caller } = request
    workFor(caller === null ? '' : caller.tenant.id, () => done(error, value))
  }
  const take = (piece: Buffer): void => {
    body.add(piece)
    if (body.length > limit) return finish(new HttpRefusal(BODY_TOO_LARGE))
    if (isAnnounced || body.length <= counted) return
    try {
      // As `ByteCollector` makes room.
      held.takeBody(request, body.length)
      counted += body.length
    } catch (error) {
      finish(error as Error)
    }
  }
  const end = (): void => {
    if (isAnnounced && body.length !== announced) return finish(new HttpRefusal(BAD_LENGTH))
    // All of it is here: what becomes of the connection while it waits no longer matters.
    stream.off('error', finish)
    // Reading what is large takes milliseconds: of bodies that end together each waits for its turn.
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
 * The fields of a form; one that came more than once is a list, which no contract of a form takes.
 * @returns null when there are more than anybody needs, each of which would cost whoever reads them
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
 * Whether what follows the type in its header is nothing, or says UTF-8. Cut up instead of matched as a whole: the
 * time is linear, also for a header that is all spaces.
 */
export function isUtf8(parameters: string): boolean {
  const [before, ...parts] = parameters.split(';').map((part) => part.trim())
  if (parts.at(-1) === '') parts.pop()
  return before === '' && (parts.length === 0 || (parts.length === 1 && UTF8_CHARSET.test(parts[0])))
}

/** Bodies that may be empty or `null`: a fault only where the route wants a body. */
function parseShort(bytes: Buffer, request: FastifyRequest): unknown {
  const wantsBody = request.routeOptions.schema?.body !== undefined
  if (bytes.length === 0) {
    if (!wantsBody) return undefined
    throw invalid(['body'], 'json_invalid', 'Invalid JSON: no value at character 1')
  }
  const value = parseJson(bytes)
  if (value !== null || !wantsBody) return value
  throw new Fault('invalid', [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }])
}

/** Refuses whatever is not NDJSON, before the body is read. */
export function demandNdjson(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const type = request.headers['content-type']
  if (type === undefined || type.split(';')[0].trim().toLowerCase() !== NDJSON_TYPE) {
    done(new HttpRefusal(unsupportedMediaType(request)))
  } else done()
}

/**
 * Ends requests whose body drips in. Node's own limit would hold for long NDJSON imports as well, so
 * those that wait for a JSON body are kept here and looked at once a second.
 */
export class BodyDeadlines {
  private readonly waiting = new Map<FastifyReply, number>()
  private readonly timeoutMs: number
  private readonly timer: NodeJS.Timeout

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.timer = setInterval(() => this.sweep(performance.now()), Math.min(SWEEP_INTERVAL_MS, timeoutMs))
    this.timer.unref()
  }

  /** A preParsing hook; only a body that is not all there yet is remembered. */
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
    for (const [reply, sinceMs] of this.waiting) {
      const raw = reply.request.raw
      const isOver = raw.complete || raw.destroyed || reply.sent
      if (!isOver && nowMs - sinceMs < this.timeoutMs) return
      this.waiting.delete(reply)
      if (!isOver) sendRefusal(BODY_TIMEOUT, reply)
    }
  }
}
