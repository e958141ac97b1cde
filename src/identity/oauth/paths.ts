/** Paths of the OAuth server. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
} as const
export const INTERACTION = '/oauth/interaction'

/** Path where clients are registered. */
export const REGISTER = '/oauth/register'
