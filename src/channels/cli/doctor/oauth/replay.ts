import { calledAs } from '../../called-as.ts'
import { fail, type Finding, ok, warn } from '../check.ts'
import type { Reach } from './address.ts'
import type { Ask } from './ask.ts'
import type { Discovery } from './discovery.ts'
import type { ServerMetadata } from './discovery-judges.ts'
import type { ClientProfile, RegistrationBody } from './profiles.ts'
import { type Mode, register, type RegisteredClient, unregister } from './registration.ts'
import { trySignIn } from './sign-in.ts'
import { tryTokens } from './token.ts'

/** The service as the replay of each client finds it. */
export interface Stage {
  readonly ask: Ask
  readonly origin: string
  readonly reach: Reach
  readonly discovered: Discovery
  readonly server: ServerMetadata
  readonly mode: Mode
  /** An API key for registration when assistants may not register themselves; null without one. */
  readonly key: string | null
  /** Stops before the next client. The current client is still removed. */
  readonly signal: AbortSignal
}

export interface Step {
  readonly name: string
  readonly finding: Finding
}

export interface ClientReport {
  readonly client: string
  readonly steps: readonly Step[]
  readonly conclusion: Finding
}

/** Connects as an assistant does, up to the sign-in page and the token endpoint. */
export async function replay(profile: ClientProfile, stage: Stage): Promise<ClientReport> {
  const steps: Step[] = []
  const { mode, key } = stage
  if (mode === 'open') {
    if (profile.document !== null && stage.server.supportsDocuments) {
      steps.push(...(await asDocument(profile, profile.document, stage)))
    }
    steps.push(...(await asRegistered(profile, stage, null)))
  } else if (mode === 'key' && key !== null) {
    steps.push(...(await asRegistered(profile, stage, key)))
  } else if (mode === 'key') {
    const text = 'not tried: set KNOWLEDGE_API_KEY or --key to a key with the scope clients:register'
    steps.push({ name: 'register', finding: warn(text) })
  }
  return { client: profile.name, steps, conclusion: conclude(profile, stage, steps) }
}

/** Connects as a client whose id is the address of a document that its vendor publishes. */
async function asDocument(profile: ClientProfile, document: string, stage: Stage): Promise<Step[]> {
  const steps: Step[] = []
  for (const redirectUri of redirectsOf(profile)) {
    const finding = await signInBy(stage, { clientId: document, redirectUri })
    // A service out of the vendor's reach often cannot read the vendor's document either: a warning will do.
    const judged = finding.verdict === 'fail' && isOutOfReach(profile, stage) ? warn(finding.text) : finding
    steps.push({ name: 'document', finding: judged })
  }
  if (steps.every(({ finding }) => finding.verdict !== 'ok')) return steps
  const client = { clientId: document, clientSecret: null, method: 'none' } as const
  return [...steps, { name: 'tokens', finding: await tokensBy(stage, client, profile) }]
}

async function asRegistered(profile: ClientProfile, stage: Stage, key: string | null): Promise<Step[]> {
  const { ask, server } = stage
  if (server.registrationEndpoint === null) return []
  const body = bodyOf(profile, stage)
  const { registered, finding } = await register(ask, server.registrationEndpoint, { body, key })
  const steps: Step[] = [{ name: 'register', finding }]
  if (registered === null) return steps
  try {
    steps.push(...(await useRegistered(profile, stage, registered)))
  } finally {
    const failure = await unregister(ask, stage.origin, registered)
    if (failure !== null) steps.push({ name: 'remove', finding: failure })
  }
  return steps
}

async function useRegistered(profile: ClientProfile, stage: Stage, registered: RegisteredClient): Promise<Step[]> {
  const steps: Step[] = []
  for (const redirectUri of redirectsOf(profile)) {
    steps.push({ name: 'sign-in', finding: await signInBy(stage, { clientId: registered.clientId, redirectUri }) })
  }
  const method = profile.registration.token_endpoint_auth_method
  const client = { clientId: registered.clientId, clientSecret: registered.clientSecret, method }
  return [...steps, { name: 'tokens', finding: await tokensBy(stage, client, profile) }]
}

/** Returns the registration for this service: only with grant types that the server offers, for VS Code with scopes. */
function bodyOf({ registration, registersScope }: ClientProfile, { discovered, server }: Stage): RegistrationBody {
  const grants = server.grantTypes
  return {
    ...registration,
    grant_types: registration.grant_types.filter((grant) => grants === null || grants.includes(grant)),
    ...(registersScope && discovered.scopes !== null ? { scope: discovered.scopes.join(' ') } : {}),
  }
}

function signInBy(stage: Stage, client: { clientId: string; redirectUri: string }): Promise<Finding> {
  const { ask, server, discovered } = stage
  const scope = discovered.scopes?.join(' ') ?? null
  return trySignIn(ask, server, { ...client, scope, resource: resourceOf(stage) })
}

function tokensBy(
  stage: Stage,
  client: { clientId: string; clientSecret: string | null; method: RegistrationBody['token_endpoint_auth_method'] },
  profile: ClientProfile,
): Promise<Finding> {
  const [redirectUri] = redirectsOf(profile)
  return tryTokens(stage.ask, stage.server.tokenEndpoint, { ...client, redirectUri, resource: resourceOf(stage) })
}

const resourceOf = ({ discovered, origin }: Stage): string => discovered.resource?.resource ?? `${origin}/mcp`

/** Returns the redirect addresses of a client, with a random port: programs listen on any free one, so it must work. */
function redirectsOf({ redirects }: ClientProfile): string[] {
  const port = 49_152 + Math.floor(Math.random() * 16_384)
  return redirects.map((redirect) => redirect.replace('{port}', String(port)))
}

const isOutOfReach = ({ place }: ClientProfile, { reach }: Stage): boolean => place === 'hosted' && reach !== 'public'

/** Concludes whether the assistant gets in, and what to do when it does not. */
function conclude(profile: ClientProfile, stage: Stage, steps: readonly Step[]): Finding {
  const { name, resourceMatch, byHand } = profile
  const { discovered, mode, origin } = stage
  const blocks = discovered.judged.filter(
    ({ keepsOut }) => keepsOut === 'all' || (keepsOut === 'exact' && resourceMatch === 'exact'),
  )
  if (blocks.length > 0) {
    const names = [...new Set(blocks.map((block) => block.name))].join(', ')
    return fail(`${name} does not get in: see ${names} above`)
  }
  if (isOutOfReach(profile, stage)) {
    return warn(
      `${name} cannot reach ${origin}: its vendor's servers call the service, so it needs a public https address`,
    )
  }
  const failed = steps.filter(({ finding }) => finding.verdict === 'fail')
  const ownId = `register it with a key (docs/guides/connect-an-assistant.md) and enter its id: ${byHand}`
  if (failed.length > 0 && failed.every((step) => step.name === 'document'))
    return fail(`${name} does not get in by itself: see document above, or ${ownId}`)
  if (failed.length > 0) return fail(`${name} does not get in everywhere: see above`)
  if (mode === 'open') return ok(`${name} gets in up to the sign-in page, where a person signs in and consents`)
  const open = calledAs('tenant set oauthRegistration=open')
  if (mode === 'off') {
    return warn(`${name} gets in only with a client registered earlier. To let assistants register themselves: ${open}`)
  }
  return warn(`${name} does not get in by itself. Let assistants register themselves: ${open}. Or ${ownId}`)
}
