import { hasUser } from '../../platform/web-url.ts'
import { isHttpUrl, secret, text, textThat } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'
import { type AllSet, allSet } from '../values.ts'

/** Address of an issuer. It stays as operators write it, because issuers are compared character by character. */
const issuerUrl = textThat('an https address, or an http one of this machine, without a user', (raw) => {
  if (!isHttpUrl(raw)) return false
  const url = new URL(raw)
  const isSafe = url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return isSafe && !hasUser(url)
})

/** Scopes separated by spaces (RFC 6749, section 3.3). */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/
const openidScopes = textThat(
  'names with a space between them, openid among them',
  (raw) => SCOPES.test(raw) && raw.split(' ').includes('openid'),
)

export const SIGN_IN = topic({
  title: 'Single sign-on',
  ownPrefixes: ['SIGN_IN_'],
  settings: {
    issuer: setting({
      name: 'SIGN_IN_ISSUER',
      kind: issuerUrl,
      meaning: 'The OpenID provider that people may sign in with.',
      example: 'https://login.example.com',
    }),
    clientId: setting({
      name: 'SIGN_IN_CLIENT_ID',
      kind: text,
      meaning: 'The client id at that provider.',
      example: 'knowledge',
    }),
    clientSecret: setting({
      name: 'SIGN_IN_CLIENT_SECRET',
      kind: secret(text),
      meaning: 'The client secret at that provider.',
    }),
    /** Scopes that the service requests from the provider, separated by spaces. */
    scopes: setting({
      name: 'SIGN_IN_SCOPES',
      kind: openidScopes,
      default: 'openid email',
      meaning:
        'The scopes that the service asks that provider for. Add the one in which the provider sends names or groups, ' +
        'such as profile or groups.',
      example: 'openid email profile groups',
    }),
    name: setting({
      name: 'SIGN_IN_NAME',
      kind: text,
      defaultWords: "(the provider's host)",
      meaning: 'The text on the button of that provider.',
      example: 'Company account',
    }),
  },
})

type Values = ValuesOf<typeof SIGN_IN.settings>
export type SignInProviderConfig = AllSet<Values>

/** Returns the outside provider; null where there is none. */
export function signInProvider(values: Values): SignInProviderConfig | null {
  if (values.issuer === null) return null
  return allSet({ ...values, name: values.name ?? new URL(values.issuer).host })
}
