import { Contract, Text } from '../../platform/contract/schema.ts'

/** Ten times the length of usual logout tokens, which have a few claims in about 800 characters. */
const TOKEN_LENGTH_MAX = 8_000

export const ProviderLogout = Contract('ProviderLogout', {
  logout_token: Text({
    maxLength: TOKEN_LENGTH_MAX,
    description: 'The signed logout token of OpenID Connect Back-Channel Logout 1.0, section 2.4',
  }),
})
