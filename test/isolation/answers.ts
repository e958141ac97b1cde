import { send } from '../support/send.ts'

export interface Question {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly ndjson?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** A caller's credential: an Authorization header or none, and the gateway's headers. */
export interface Credential {
  readonly authorization: string | null
  readonly xScopes?: string
  /** Whether the key stands in the address, as `publishable_key`, and not in the header. */
  readonly isKeyInAddress?: true
}

export interface RawAnswer {
  readonly status: number
  /** The whole answer as one text to compare, without the parts that differ on every request. */
  readonly bytes: string
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly json: any
}

/** A watermark has another name each time, so that its names do not tell whether something was written in between. */
const CHANGES_ALWAYS = new Set(['date', 'x-request-id', 'server-timing', 'x-search-log-id', 'x-watermark'])
const NAMES = /"(search_log_id|watermark)":"[^"]+"/g

export async function ask(
  { service }: { service: { readonly url: string } },
  who: Credential,
  question: Question,
): Promise<RawAnswer> {
  const { method, path, form, ndjson = false, headers = {} } = question
  const body = form === undefined ? question.body : new URLSearchParams(form).toString()
  const type = `application/${form === undefined ? (ndjson ? 'x-ndjson' : 'json') : 'x-www-form-urlencoded'}`
  const { authorization } = who
  const isKeyInAddress = who.isKeyInAddress === true && authorization !== null
  const response = await send(service.url + (isKeyInAddress ? withKey(path, authorization) : path), {
    method,
    headers: {
      ...(authorization === null || isKeyInAddress ? {} : { authorization }),
      ...(who.xScopes === undefined ? {} : { 'x-scopes': who.xScopes }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { status, text } = response
  // A name that differs each time may also change how long the compressed answer is.
  const hasName = response.headers.has('content-encoding') && text.search(NAMES) >= 0
  const said = [...response.headers]
    .filter(([name]) => !CHANGES_ALWAYS.has(name) && !(hasName && name === 'content-length'))
    .map((pair) => pair.join(': '))
  return {
    status,
    bytes: [status, ...said, '', withoutNames(text)].join('\n'),
    headers: response.headers,
    text,
    json: parsed(text),
  }
}

/** Returns a text without the names that differ in every answer. Whether an answer has one stays visible. */
export function withoutNames(text: string): string {
  return text.replaceAll(NAMES, '"$1":""')
}

/** Returns the path with the key of the header in it. */
function withKey(path: string, authorization: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}publishable_key=${authorization.replace('Bearer ', '')}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const AT_ONCE = 12

/** Runs `work` for all items, several at once; the first failure fails all. */
export async function each<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++
      results[i] = await work(items[i], i)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return results
}
