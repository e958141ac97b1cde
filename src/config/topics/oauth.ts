import { integer, times } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

const DAY_SECONDS = 86_400

export const OAUTH = topic({
  title: 'OAuth',
  ownPrefixes: ['OAUTH_'],
  settings: {
    accessTokenSeconds: setting({
      name: 'OAUTH_ACCESS_TOKEN_SECONDS',
      kind: integer(60, DAY_SECONDS),
      default: '3600',
      meaning: 'How long an access token is valid.',
      example: '900',
    }),
    refreshTokenSeconds: setting({
      name: 'OAUTH_REFRESH_TOKEN_DAYS',
      kind: times(integer(1, 365), DAY_SECONDS),
      default: '30',
      meaning: 'After how many days without use a refresh token expires.',
      example: '90',
    }),
    refreshGraceSeconds: setting({
      name: 'OAUTH_REFRESH_GRACE_SECONDS',
      kind: integer(0, 300),
      default: '30',
      meaning: 'How long a client that lost the answer may use a refresh token again after its rotation.',
      example: '0',
    }),
  },
})

/** Lifetimes of the tokens that the OAuth server issues. */
export type OAuthConfig = ValuesOf<typeof OAUTH.settings>
