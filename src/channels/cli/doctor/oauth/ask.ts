import { isUnchecked, type Unchecked } from '../../../../platform/contract/unchecked.ts'

/** A request as a client sends it. Redirects are not followed. */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null when the body is not a JSON object. */
  readonly json: Unchecked | null
}

/** Sends a request and returns its answer. @throws Unreachable */
export type Ask = (question: Question) => Promise<Answer>

/** Tells that a request got no answer. The message says why and what to do. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

const TIMEOUT_MS = 15_000
/** Characters of an answer that are read. Answers of the service are shorter; a longer one is some other page. */
const TEXT_MAX = 100_000

/** Sends a request over HTTP. @throws Unreachable */
export const askOverHttp: Ask = async ({ method = 'GET', url, headers = {}, json, form }) => {
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = (await response.text()).slice(0, TEXT_MAX)
    return { status: response.status, headers: response.headers, text, json: objectOf(text) }
  } catch (error) {
    throw new Unreachable(`${originOf(url)} ${reasonOf(error)}`)
  }
}

/** Sends a request. @returns its answer, or the error that says why there is none */
export async function attempt(ask: Ask, question: Question): Promise<Answer | Unreachable> {
  try {
    return await ask(question)
  } catch (error) {
    if (error instanceof Unreachable) return error
    throw error
  }
}

function objectOf(text: string): Unchecked | null {
  try {
    const value: unknown = JSON.parse(text)
    return isUnchecked(value) ? value : null
  } catch {
    return null
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : `"${url}"`)

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'does not answer: start the service. If it runs already, call the doctor with the PORT or PUBLIC_URL that it ' +
    'runs with, or give its address with --url',
  ENOTFOUND: 'has a host name that does not exist: set PUBLIC_URL to the address that clients use',
  EAI_AGAIN: 'has a host name that cannot be resolved now: check the DNS of this machine',
  ECONNRESET: 'closes the connection: check the proxy in front of the service',
  CERT_HAS_EXPIRED: 'has a certificate that has expired: renew it',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'has a self-signed certificate, which assistants do not trust: get one from a public authority',
  SELF_SIGNED_CERT_IN_CHAIN:
    'has a certificate of a private authority, which hosted assistants do not trust: get one from a public authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'does not send the whole chain of its certificate: give the proxy the full chain, intermediate certificates included',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'does not send the whole chain of its certificate: give the proxy the full chain, intermediate certificates included',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name: get one for this name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS there: use http, or put a proxy in front that does',
}

function reasonOf(error: unknown): string {
  const { name, cause, message } = error as {
    name?: string
    cause?: { code?: string; message?: string }
    message: string
  }
  if (name === 'TimeoutError') return `does not answer within ${TIMEOUT_MS / 1_000} s: check firewall and proxy`
  const code = cause?.code ?? ''
  return REASONS[code] ?? `cannot be reached (${code || cause?.message || message}): check address, firewall and proxy`
}
