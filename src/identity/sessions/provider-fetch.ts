import { calling } from '../../platform/telemetry/work-record.ts'

type Options = RequestInit & { readonly method: string }

/** Asks the outside provider, and tells it of the trace that the request belongs to, where there is one. */
export function fetchFromProvider(url: string, options: object): Promise<Response> {
  const { method, headers, ...others } = options as Options
  const attributes = { 'http.request.method': method, 'server.address': new URL(url).hostname }
  return calling(`${method} OpenID provider`, attributes, (more) => {
    const told = new Headers(headers)
    for (const [name, value] of Object.entries(more)) told.set(name, value)
    return fetch(url, { ...others, method, headers: told })
  })
}
