import { warn } from '../check.ts'
import { type Address, judgeAddress, resolve } from './address.ts'
import type { Ask } from './ask.ts'
import { discover } from './discovery.ts'
import type { ClientProfile } from './profiles.ts'
import { register, registrationMode, unregister } from './registration.ts'
import { type ClientReport, replay, type Stage, type Step } from './replay.ts'
import { trySignIn } from './sign-in.ts'

/** The findings about the service, and about each assistant. */
export interface Diagnosis {
  readonly origin: string
  readonly service: readonly Step[]
  readonly clients: readonly ClientReport[]
  /** Why assistants were not replayed, or not all of them; null when all were. */
  readonly notTried: string | null
}

export interface DiagnoseOptions {
  readonly ask: Ask
  readonly origin: string
  readonly profiles: readonly ClientProfile[]
  readonly key: string | null
  readonly signal: AbortSignal
}

/** Examines a service from the outside, as assistants see it. */
export async function diagnose({ ask, origin, profiles, key, signal }: DiagnoseOptions): Promise<Diagnosis> {
  const address: Address = judgeAddress(origin, await resolve(origin))
  const discovered = await discover(ask, origin)
  const service: Step[] = [{ name: 'address', finding: address.finding }, ...discovered.judged]
  const { server } = discovered
  if (server === null) {
    const why = 'Without the metadata of its server no assistant can connect.'
    return notTried(origin, service, discovered.isOtherProgram ? `${why} ${otherProgramAt(origin)}` : why)
  }
  const { mode, finding } = await registrationMode(ask, server.registrationEndpoint)
  service.push({ name: 'mode', finding })
  if (mode === null) return notTried(origin, service, 'While registration fails no assistant can connect.')
  const registersAt = new URL(server.registrationEndpoint ?? origin).origin
  const isOwn = registersAt === origin
  if (!isOwn && key !== null) {
    service.push({
      name: 'mode',
      finding: warn(`clients register at ${registersAt}, which is another origin: the key is not sent there`),
    })
  }
  const stage: Stage = {
    ask,
    origin,
    reach: address.reach,
    discovered,
    server,
    mode,
    key: isOwn ? key : null,
    signal,
  }
  // Clients stop at faulty metadata, so the doctor does too.
  const stops = discovered.judged.filter(({ name, keepsOut }) => keepsOut === 'all' && name !== 'challenge')
  if (stops.length > 0) {
    const names = [...new Set(stops.map(({ name }) => name))].join(', ')
    return notTried(origin, service, `No assistant can connect until these are fixed: ${names}.`)
  }
  service.push(...(await variants(profiles, stage)))
  const clients: ClientReport[] = []
  for (const profile of profiles) {
    if (signal.aborted) return { origin, service, clients, notTried: 'Interrupted: the rest was not tried.' }
    clients.push(await replay(profile, stage))
  }
  return { origin, service, clients, notTried: null }
}

/** Says that another program may answer: a proxy that forwards nothing looks the same, so the doctor cannot tell. */
function otherProgramAt(origin: string): string {
  return `Nothing at ${origin} looks like a Knowledge Service. If another program answers there, call the doctor with the PORT or PUBLIC_URL that the service runs with, or give its address with --url.`
}

function notTried(origin: string, service: readonly Step[], why: string): Diagnosis {
  return { origin, service, clients: [], notTried: why }
}

/** Tries sign-ins as only some clients send them: the resource with a slash, the whole service, none, and no scope. */
async function variants(profiles: readonly ClientProfile[], stage: Stage): Promise<Step[]> {
  const { ask, origin, server, mode, key, discovered } = stage
  const mayRegister = mode === 'open' || (mode === 'key' && key !== null)
  const local = profiles.find(({ place, redirects }) => place === 'local' && redirects[0].startsWith('http://'))
  if (!mayRegister || local === undefined || server.registrationEndpoint === null) return []
  const body = { ...local.registration, client_name: 'knowledge doctor', redirect_uris: [REDIRECT] }
  const credential = mode === 'open' ? null : key
  const { registered, finding } = await register(ask, server.registrationEndpoint, { body, key: credential })
  if (registered === null) return [{ name: 'requests', finding }]
  const resource = discovered.resource?.resource ?? `${origin}/mcp`
  const scope = discovered.scopes?.join(' ') ?? null
  const requests = [
    { what: 'a resource with a slash at its end', resource: `${resource}/`, scope },
    { what: 'the whole service as resource', resource: origin, scope },
    { what: 'no resource', resource: null, scope },
    { what: 'no scope', resource, scope: null },
  ]
  const steps: Step[] = []
  try {
    for (const { what, ...each } of requests) {
      const result = await trySignIn(ask, server, { clientId: registered.clientId, redirectUri: REDIRECT, ...each })
      if (result.verdict !== 'ok')
        steps.push({ name: 'requests', finding: { ...result, text: `with ${what}, ${result.text}` } })
    }
  } finally {
    const failure = await unregister(ask, origin, registered)
    if (failure !== null) steps.push({ name: 'remove', finding: failure })
  }
  if (steps.length > 0) return steps
  const text =
    'requests with a slash after the resource, for the whole service, without resource or scope also reach the sign-in page'
  return [{ name: 'requests', finding: { verdict: 'ok', text } }]
}

const REDIRECT = 'http://127.0.0.1:49152/callback'
