import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'

interface StrictConnection {
  readonly base: string
  /** Key for registration; null where every client may register. */
  readonly key: string | null
  /** Called once the client is registered. */
  readonly registered: () => Promise<void>
  readonly redirectUrl: string
  /** Lets a person allow what is asked for. @returns what their browser comes back with */
  readonly allow: (url: URL) => Promise<URLSearchParams>
}

// oxlint-disable-next-line typescript/no-deprecated -- marked so that no client does this in production
const PLAIN_HTTP = { [oauth.allowInsecureRequests]: true } as const
const SCOPE = 'knowledge:read visibility:internal'

/** Goes from discovery to revocation with a library that checks every answer against its RFC. */
export async function connectStrictly({ base, key, registered, redirectUrl, allow }: StrictConnection): Promise<void> {
  const resource = `${base}/mcp`
  const metadata = await oauth.processResourceDiscoveryResponse(
    new URL(resource),
    await oauth.resourceDiscoveryRequest(new URL(resource), PLAIN_HTTP),
  )
  const issuer = new URL(metadata.authorization_servers![0])
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...PLAIN_HTTP })
  const server = await oauth.processDiscoveryResponse(issuer, discovery)
  assert.equal(server.authorization_response_iss_parameter_supported, true)

  const clientMetadata = {
    client_name: 'Strict',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'client_secret_basic',
  }
  const registration = await oauth.dynamicClientRegistrationRequest(
    server,
    { ...clientMetadata, grant_types: ['authorization_code', 'refresh_token'] },
    { ...PLAIN_HTTP, ...(key === null ? {} : { initialAccessToken: key }) },
  )
  const client = await oauth.processDynamicClientRegistrationResponse(registration)
  await registered()
  const authentication = oauth.ClientSecretBasic(client.client_secret as string)

  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint!)
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: SCOPE,
    state,
    resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const answer = oauth.validateAuthResponse(server, client, await allow(url), state)
  const exchange = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    redirectUrl,
    verifier,
    PLAIN_HTTP,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange)
  assert.equal(tokens.scope, SCOPE)
  assert.equal(await callTool(resource, tokens.access_token), 200)

  const renewal = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    tokens.refresh_token!,
    PLAIN_HTTP,
  )
  const renewed = await oauth.processRefreshTokenResponse(server, client, renewal)
  assert.notEqual(renewed.access_token, tokens.access_token)
  const response = await oauth.introspectionRequest(server, client, authentication, renewed.access_token, PLAIN_HTTP)
  const introspection = await oauth.processIntrospectionResponse(server, client, response)
  assert.deepEqual([introspection.active, introspection.aud, introspection.scope], [true, resource, SCOPE])
  const revocation = await oauth.revocationRequest(server, client, authentication, renewed.access_token, PLAIN_HTTP)
  await oauth.processRevocationResponse(revocation)
  assert.equal(await callTool(resource, renewed.access_token), 401)
  // The first access token came from the same grant.
  assert.equal(await callTool(resource, tokens.access_token), 401)
}

async function callTool(resource: string, token: string): Promise<number> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_categories', arguments: {} } }
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  })
  const url = new URL(resource)
  try {
    const body = JSON.stringify(message)
    return (await oauth.protectedResourceRequest(token, 'POST', url, headers, body, PLAIN_HTTP)).status
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status
    throw error
  }
}
