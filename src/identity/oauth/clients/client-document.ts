import { type AUTH_METHODS, RESPONSE_TYPES } from './client-metadata.ts'
import type { FetchBounds } from './fetch-bounds.ts'
import { fetchPublic } from './public-fetch.ts'

/** Bytes of the largest document that the OAuth server accepts. One byte more is read, to notice a larger document. */
const BYTES_MAX = 5_120

/** Grant types of a client described by a document, which always acts for a person. */
const FOR_PEOPLE: readonly string[] = ['authorization_code', 'refresh_token']

/**
 * Fetches a client id metadata document and reduces it to the members that this service uses. Unsupported grant types,
 * response types and members are dropped, scopes too: a client may do what a person grants it, whatever its document
 * claims. The OAuth server follows no redirects, and limits time and size.
 * @param options for the fetcher, such as the signal that aborts the fetch
 * @param bounds limits the number of fetches, which need no credential
 * @returns the document; the answer as it came when it is no JSON object or too large, so that the server refuses it
 */
export async function fetchClientDocument(
  url: string | URL,
  options: RequestInit,
  bounds: FetchBounds,
  fetcher: typeof globalThis.fetch = fetchPublic,
): Promise<Response> {
  const { response } = await bounds.run(String(url), async () => {
    const answer = await fetcher(url, options)
    const { status, headers, body } = answer
    if (status !== 200 || body === null) return { response: answer, isGood: false }
    const bytes = await firstBytes(body, BYTES_MAX + 1)
    const document = bytes.length > BYTES_MAX ? null : supportedMembers(bytes)
    const response = new Response(document ?? bytes, { status, headers: headersOf(headers) })
    return { response, isGood: document !== null }
  })
  return response
}

function headersOf(headers: Headers): Headers {
  const ours = new Headers({ 'content-type': 'application/json' })
  for (const name of ['cache-control', 'expires']) {
    const value = headers.get(name)
    if (value !== null) ours.set(name, value)
  }
  return ours
}

async function firstBytes(body: ReadableStream<Uint8Array>, max: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= max) break
  }
  return Buffer.concat(chunks).subarray(0, max)
}

/** Returns the members of the document that this service uses, as JSON; null when the bytes are not a JSON object. */
function supportedMembers(bytes: Buffer): string | null {
  let document: unknown
  try {
    document = JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null
  const {
    client_id,
    client_name,
    redirect_uris,
    grant_types,
    response_types,
    token_endpoint_auth_method,
    token_endpoint_auth_methods_supported: methods,
    ...rest
  } = document as Record<string, unknown>
  return JSON.stringify({
    client_id,
    client_name,
    redirect_uris,
    grant_types: Array.isArray(grant_types) ? valuesIn(FOR_PEOPLE, grant_types) : FOR_PEOPLE,
    response_types: Array.isArray(response_types) ? valuesIn(RESPONSE_TYPES, response_types) : RESPONSE_TYPES,
    token_endpoint_auth_method: authMethodOf(token_endpoint_auth_method, methods),
    ...('client_secret' in rest ? { client_secret: rest.client_secret } : {}),
    ...('client_secret_expires_at' in rest ? { client_secret_expires_at: rest.client_secret_expires_at } : {}),
  })
}

/**
 * Returns the method by which the client authenticates: by default `none`, without a secret. A client such as ChatGPT
 * prefers signing but lists `none` among its supported methods (OpenID Connect RP Metadata Choices), so it gets `none`.
 * A client that must sign keeps its method, for which the OAuth server refuses it.
 */
function authMethodOf(preferred: unknown, supported: unknown): unknown {
  const none: (typeof AUTH_METHODS)[number] = 'none'
  return Array.isArray(supported) && supported.includes(none) ? none : (preferred ?? none)
}

function valuesIn(supported: readonly string[], values: readonly unknown[]): string[] {
  return supported.filter((value) => values.includes(value))
}
