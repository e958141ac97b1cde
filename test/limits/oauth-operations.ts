import { type Kind, list, narrow, nullable, text } from './kinds.ts'
import { type Fields, type Operation, pages, type World } from './operation.ts'

const LOOPBACK = 'http://127.0.0.1/'
const longest = LOOPBACK.padEnd(2_000, 'x')

/** Makes the kind of a text in which these values have a meaning. */
const saying = (max: number, ...accepts: string[]): Kind => ({ ...text(1, max), accepts })
const words = (...accepts: string[]) =>
  nullable(list(saying(100, ...accepts), 0, 20, (i) => accepts[i % accepts.length]))

/** Returns the operations of the OAuth server. */
export function oauthOperations(world: World): Readonly<Record<string, Operation>> {
  const registration: Operation = {
    body: {
      client_name: text(1, 200),
      redirect_uris: list(saying(2_000, LOOPBACK, longest), 1, 20, (i) => `${LOOPBACK}${i}`),
      grant_types: words('authorization_code', 'refresh_token'),
      response_types: words('code'),
      token_endpoint_auth_method: nullable(saying(100, 'none', 'client_secret_basic', 'client_secret_post')),
      scope: nullable({ ...text(0, 2_000), accepts: ['', 'knowledge:read'.padEnd(2_000)] }),
    },
    required: ['client_name', 'redirect_uris'],
    good: { client_name: 'An assistant', redirect_uris: [LOOPBACK] },
    // Metadata within its limits may still contradict itself.
    refusals: [400],
  }
  const ofClient = { client_id: { ...text(1, 2_000, narrow), accepts: [world.client] } }
  const naming: Fields = {
    token: text(1, 500),
    token_type_hint: text(1, 100),
    client_id: text(1, 2_000),
    client_secret: text(1, 500),
  }
  // The clients and tokens of these requests do not exist.
  const refusals = [400, 401]
  return {
    registerClient: registration,
    issueToken: {
      isForm: true,
      body: {
        grant_type: text(1, 100),
        code: text(1, 500),
        redirect_uri: text(1, 2_000),
        code_verifier: text(1, 500),
        refresh_token: text(1, 500),
        client_id: text(1, 2_000),
        client_secret: text(1, 500),
        scope: text(1, 2_000),
        resource: text(1, 2_000),
      },
      required: ['grant_type'],
      good: { grant_type: 'client_credentials', client_id: world.client },
      refusals,
    },
    revokeToken: {
      isForm: true,
      body: naming,
      required: ['token'],
      good: { token: 'unknown', client_id: world.client },
      refusals,
    },
    introspectToken: { isForm: true, body: naming, required: ['token'], good: { token: 'unknown' }, refusals },
    readServerMetadata: { isPublic: true },
    readOpenIdMetadata: { isPublic: true },
    readResourceMetadata: { isPublic: true },
    readMcpMetadata: { isPublic: true },
    readSigningKeys: { isPublic: true },
    listOAuthClients: { query: pages([1, world.client]) },
    listOAuthGrants: { query: pages([1, world.grant]) },
    readClientRegistration: { isPublic: true, path: ofClient },
    changeClientRegistration: { ...registration, isPublic: true, path: ofClient },
    revokeOAuthGrant: { path: { grant_id: { ...text(1, 100, narrow), accepts: [world.grant] } } },
    // Last, because it removes what the others need.
    removeClientRegistration: { isPublic: true, path: ofClient },
    deleteOAuthClient: { path: ofClient },
  }
}
