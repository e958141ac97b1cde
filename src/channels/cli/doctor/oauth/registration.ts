import { type Answer, type Ask, attempt, Unreachable } from './ask.ts'
import { saidBy } from './discovery-judges.ts'
import { fail, type Finding, ok } from '../check.ts'
import type { RegistrationBody } from './profiles.ts'

/** The ways to register clients: assistants by themselves, only with an API key, or not at all. */
export type Mode = 'open' | 'key' | 'off'

export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret: string | null
  readonly managementUri: string | null
  readonly managementToken: string | null
}

/** A registration that the service must refuse: its redirect leads to another host without TLS. */
const REFUSED_EVERYWHERE = {
  client_name: 'knowledge doctor',
  redirect_uris: ['http://doctor.invalid/'],
  token_endpoint_auth_method: 'none',
}

/** Finds the mode by a registration that is always refused. @returns mode null when the answer does not tell */
export async function registrationMode(
  ask: Ask,
  endpoint: string | null,
): Promise<{ mode: Mode | null; finding: Finding }> {
  if (endpoint === null) return { mode: 'off', finding: MODES.off }
  const answer = await attempt(ask, { method: 'POST', url: endpoint, json: REFUSED_EVERYWHERE })
  return judgeMode(answer, endpoint)
}

const MODES = {
  open: ok('open: assistants register themselves at this address'),
  key: ok('key: only holders of an API key register clients; an assistant that tries by itself is refused'),
  off: ok('off: nobody can register a client; earlier ones keep working'),
} as const satisfies Record<Mode, Finding>

export function judgeMode(answer: Answer | Unreachable, endpoint: string): { mode: Mode | null; finding: Finding } {
  if (answer instanceof Unreachable) return { mode: null, finding: fail(answer.message) }
  if (answer.status === 401 || answer.status === 403) return { mode: 'key', finding: MODES.key }
  if (answer.status === 400 || answer.status === 422) return { mode: 'open', finding: MODES.open }
  return { mode: null, finding: fail(`${endpoint} answers ${saidBy(answer)}: ${whatToDo(answer)}`) }
}

/** Registers a client as an assistant does. @returns registered null, with a finding that says why, after a refusal */
export async function register(
  ask: Ask,
  endpoint: string,
  { body, key }: { body: RegistrationBody; key: string | null },
): Promise<{ registered: RegisteredClient | null; finding: Finding }> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const answer = await attempt(ask, { method: 'POST', url: endpoint, json: body, headers })
  return judgeRegistration(answer, { body, withKey: key !== null })
}

export function judgeRegistration(
  answer: Answer | Unreachable,
  { body, withKey }: { body: RegistrationBody; withKey: boolean },
): { registered: RegisteredClient | null; finding: Finding } {
  if (answer instanceof Unreachable) return { registered: null, finding: fail(answer.message) }
  const { status, json } = answer
  if (withKey && (status === 401 || status === 403)) {
    const text = `the API key may not register clients: ${saidBy(answer)}. Issue one with the scope clients:register`
    return { registered: null, finding: fail(text) }
  }
  if (status !== 201 || typeof json?.client_id !== 'string') {
    return { registered: null, finding: fail(`its registration gets ${saidBy(answer)}: ${whatToDo(answer)}`) }
  }
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  const registered = {
    clientId: json.client_id,
    clientSecret: text(json.client_secret),
    managementUri: text(json.registration_client_uri),
    managementToken: text(json.registration_access_token),
  }
  const changed = differences(body, json)
  return {
    registered,
    finding:
      changed.length === 0
        ? ok(`${withKey ? 'is registered with the API key' : 'registers itself'}: ${body.redirect_uris.join(', ')}`)
        : fail(
            `its registration comes back changed (${changed.join(', ')}), which it does not expect: update the service`,
          ),
  }
}

/** Returns the names of members that come back otherwise than they were sent, though they must not. */
function differences(body: RegistrationBody, json: Readonly<Record<string, unknown>>): string[] {
  const lost = (name: 'redirect_uris' | 'grant_types' | 'response_types'): boolean =>
    !body[name].every((value) => Array.isArray(json[name]) && json[name].includes(value))
  const lists = (['redirect_uris', 'grant_types', 'response_types'] as const).filter(lost)
  const method = json.token_endpoint_auth_method === body.token_endpoint_auth_method
  return method ? lists : [...lists, 'token_endpoint_auth_method']
}

function whatToDo({ status, headers }: Answer): string {
  if (status === 429) return `too many registrations just now; run this again in ${headers.get('retry-after') ?? 60} s`
  if (status >= 500) return "check the service's log"
  return 'update the service, or report it to its makers'
}

/**
 * Removes a client by RFC 7592.
 * @param origin of the service, tried if the management address does not remove the client
 * @returns null when the client is removed, else a finding that names it
 */
export async function unregister(ask: Ask, origin: string, client: RegisteredClient): Promise<Finding | null> {
  const { clientId, managementUri, managementToken } = client
  if (managementUri !== null && managementToken !== null && URL.canParse(managementUri)) {
    const { pathname } = new URL(managementUri)
    for (const url of new Set([managementUri, `${origin}${pathname}`])) {
      const headers = { authorization: `Bearer ${managementToken}` }
      const answer = await attempt(ask, { method: 'DELETE', url, headers })
      if (!(answer instanceof Unreachable) && answer.status === 204) return null
    }
  }
  return fail(
    `the client ${clientId} could not be removed: remove it in Settings → OAuth clients, or with ` +
      `DELETE /api/knowledge/oauth-clients/${clientId}`,
  )
}
