import { calling } from '../../platform/telemetry/work-record.ts'

type Options = RequestInit & { readonly method: string }

/** Sends a request to the outside provider, with the headers of the trace that it belongs to, if any. */
export function fetchFromProvider(url: string, options: object): Promise<Response> {
  const { method, headers, ...others } = options as Options
  const attributes = { 'http.request.method': method, 'server.address': new URL(url).hostname }
  return calling(`${method} OpenID provider`, attributes, (traceHeaders) => {
    const allHeaders = new Headers(headers)
    for (const [name, value] of Object.entries(traceHeaders)) allHeaders.set(name, value)
    return fetch(url, { ...others, method, headers: allHeaders })
  })
}
