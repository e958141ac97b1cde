import type { Abuser } from './abuser.ts'
import type { ScenarioGroup } from './scenario.ts'

/** Returns an address in a new network each time, so that a limit per address does not stop the abuse. */
const stranger = (n: number): string => `127.${1 + (Math.floor(n / 200) % 200)}.${n % 200}.9`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REDIRECT = 'https://client.example/callback'

function authorizePath(client: string): string {
  const params = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeGt_fI5tQZ9R_fLwCUc',
    code_challenge_method: 'S256',
    state: 's'.repeat(200),
  })
  return `/oauth/authorize?${params.toString()}`
}

/** Sends requests without a credential, each from its own address. */
async function fromStrangers(
  abuser: Abuser,
  connections: number,
  requestOf: (n: number) => Parameters<Abuser['send']>[1],
): Promise<void> {
  let n = 0
  const work = async (): Promise<void> => {
    while (!abuser.isOver) {
      const one = n++
      const client = abuser.client(stranger(one))
      await abuser.send(client, { key: null, ...requestOf(one) })
      await client.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
}

const form = (path: string, fields: Record<string, string>) =>
  ({ method: 'POST', path, headers: FORM, body: new URLSearchParams(fields).toString() }) as const

export const OAUTH: ScenarioGroup = {
  name: 'oauth',
  tenantSettings: { oauthRegistration: 'open' },
  hasSilentResolver: true,
  scenarios: [
    {
      name: 'client-documents',
      what: '40 requests to authorize at a time name client ids on hosts whose name server never answers',
      run: (abuser) =>
        fromStrangers(abuser, 40, (n) => ({ path: authorizePath(`https://host-${n}.stalled.example/client.json`) })),
    },
    {
      name: 'authorize',
      what: 'floods authorize with unknown clients, 16 connections',
      run: (abuser) => fromStrangers(abuser, 16, (n) => ({ path: authorizePath(`unknown-${n}`) })),
    },
    {
      name: 'token',
      what: 'floods the token endpoint with bad codes and secrets, 16 connections',
      run: (abuser) =>
        fromStrangers(abuser, 16, (n) =>
          form('/oauth/token', {
            grant_type: 'authorization_code',
            code: `code-${n}`,
            client_id: `client-${n}`,
            client_secret: 's'.repeat(400),
            redirect_uri: REDIRECT,
          }),
        ),
    },
    {
      name: 'introspect',
      what: 'floods introspection with bad tokens, with and without a credential, 16 connections',
      run: (abuser) =>
        abuser.flood(16, (n) => ({
          ...form('/oauth/introspect', { token: `token-${n}`, client_id: `client-${n}` }),
          ...(n % 2 === 0 ? { key: null } : {}),
        })),
    },
    {
      name: 'register',
      what: 'registers clients without end, 16 connections',
      run: (abuser) =>
        fromStrangers(abuser, 16, (n) => ({
          method: 'POST',
          path: '/oauth/register',
          body: {
            client_name: `Client ${n}`,
            redirect_uris: Array.from({ length: 20 }, (_, i) => `https://client.example/${'p'.repeat(1_900)}/${i}`),
            token_endpoint_auth_method: 'none',
          },
        })),
    },
    {
      name: 'sign-in',
      what: 'signs in with wrong passwords, from another network each time, 16 connections',
      run: (abuser) =>
        fromStrangers(abuser, 16, (n) => ({
          method: 'POST',
          path: '/api/session',
          headers: { origin: abuser.target.url },
          body: {
            email: n % 2 === 0 ? 'bench@abuser.example' : `nobody-${n}@abuser.example`,
            password: 'wrong'.repeat(5),
          },
        })),
    },
  ],
}
