import { SCOPES } from '../../platform/access/scopes.ts'
import {
  Contract,
  DateTime,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  OneOf,
  Text,
  Type,
} from '../../platform/contract/schema.ts'
import { Confirmation } from '../sessions/factors/contract.ts'
import { Person } from '../users/contract.ts'

/** Longest client name, in characters. */
export const NAME_MAX = 200
const URIS_MAX = 20
const URI_MAX = 2_000
const WORDS_MAX = 20

const Words = (description: string) =>
  Nullable(ListOf(Text({ maxLength: 100 }), { maxItems: WORDS_MAX }), { description })

/** Metadata of RFC 7591, section 2, that this service uses. */
export const ClientRegistration = Contract('ClientRegistration', {
  client_name: Text({ maxLength: NAME_MAX }),
  redirect_uris: ListOf(Text({ maxLength: URI_MAX }), {
    minItems: 1,
    maxItems: URIS_MAX,
    description:
      'https, http on a loopback address (any port matches), or a private-use scheme with a dot (or cursor:)',
  }),
  grant_types: Type.Optional(Words('authorization_code (default), refresh_token, client_credentials')),
  response_types: Type.Optional(Words('code (default)')),
  token_endpoint_auth_method: Type.Optional(
    Nullable(Text({ maxLength: 100 }), {
      description: 'client_secret_basic (default), client_secret_post or none (with PKCE)',
    }),
  ),
  scope: Type.Optional(
    Nullable(Type.String({ maxLength: 2_000 }), {
      description: 'The most the client may be granted, separated by spaces; everything when it is missing',
    }),
  ),
})

const clientFields = {
  client_id: Text(),
  client_name: Text(),
  redirect_uris: ListOf(Text()),
  grant_types: ListOf(Text()),
  response_types: ListOf(Text()),
  token_endpoint_auth_method: Text(),
  scope: Type.String(),
}

/** Answer to a registration (RFC 7591, section 3.2.1 and RFC 7592, section 3). */
export const RegisteredClient = Contract('RegisteredClient', {
  ...clientFields,
  client_secret: Text({ description: 'Shown only once; a client that authenticates by none need not send it' }),
  client_secret_expires_at: Int({ description: '0: never' }),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
  registration_client_uri: Text(),
  registration_access_token: Text({ description: 'For reading, changing and removing the registration' }),
})

/** Registration as it is read later: secrets are stored as hashes and not shown again. */
export const ClientInformation = Contract('ClientInformation', {
  ...clientFields,
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
  registration_client_uri: Text(),
})

export const ClientParams = Type.Object({ client_id: Text({ maxLength: URI_MAX }) })

const optionalWord = (maxLength: number) => Type.Optional(Text({ maxLength }))
const TOKEN_MAX = 500

/** Form of a token request; members without a value count as missing (RFC 6749, section 3.2). */
export const TokenRequest = Contract('TokenRequest', {
  grant_type: Text({ maxLength: 100, description: 'authorization_code, refresh_token or client_credentials' }),
  code: optionalWord(TOKEN_MAX),
  redirect_uri: optionalWord(URI_MAX),
  code_verifier: optionalWord(TOKEN_MAX),
  refresh_token: optionalWord(TOKEN_MAX),
  client_id: optionalWord(URI_MAX),
  client_secret: optionalWord(TOKEN_MAX),
  scope: Type.Optional(Text({ maxLength: 2_000 })),
  resource: optionalWord(URI_MAX),
})

/** Refusal of RFC 6749, section 5.2, which other OAuth endpoints share. */
export const OAuthError = Contract('OAuthError', {
  error: Text({ description: 'The code of the specification, such as invalid_client' }),
  error_description: Type.Optional(Type.String({ description: 'What is wrong, for people' })),
})

/** Answer with tokens (RFC 6749, section 5.1). */
export const TokenAnswer = Contract('TokenAnswer', {
  access_token: Text(),
  token_type: OneOf(['Bearer']),
  expires_in: Int({ minimum: 1 }),
  refresh_token: Type.Optional(Text()),
  scope: Type.Optional(Type.String()),
  id_token: Type.Optional(Text()),
})

/** Request that names a token (RFC 7009, section 2.1 and RFC 7662, section 2.1). */
export const TokenNaming = Contract('TokenNaming', {
  token: Text({ maxLength: TOKEN_MAX }),
  token_type_hint: optionalWord(100),
  client_id: optionalWord(URI_MAX),
  client_secret: optionalWord(TOKEN_MAX),
})

/** State of a token (RFC 7662, section 2.2). */
export const Introspection = Contract('Introspection', {
  active: Type.Boolean(),
  scope: Type.Optional(Type.String()),
  client_id: Type.Optional(Text()),
  token_type: Type.Optional(Text()),
  exp: Type.Optional(Type.Integer()),
  iat: Type.Optional(Type.Integer()),
  sub: Type.Optional(Text()),
  aud: Type.Optional(Text()),
  iss: Type.Optional(Text()),
})

export const OAuthClient = Contract('OAuthClient', {
  client_id: Text(),
  client_name: Text(),
  redirect_uris: ListOf(Text()),
  grant_types: ListOf(Text()),
  scope: Type.String(),
  token_endpoint_auth_method: Text(),
  registration: OneOf(['key', 'open', 'document'], {
    description: 'With an API key, by itself, or described by a document at its own address',
  }),
  created_at: DateTime(),
  last_used_at: Nullable(DateTime()),
})

export const OAuthGrant = Contract('OAuthGrant', {
  id: Text(),
  client_id: Text(),
  client_name: Text(),
  user: Nullable(Person),
  scopes: ListOf(Text()),
  resource: Text(),
  created_at: DateTime(),
  expires_at: Nullable(DateTime()),
})

export const GrantParams = Type.Object({ grant_id: Text({ maxLength: 100 }) })

export const InteractionParams = Type.Object({ uid: Text({ maxLength: 100 }) })

export const Consent = Contract('Consent', {
  scopes: ListOf(OneOf(SCOPES), { maxItems: SCOPES.length }),
  confirmation: Type.Optional(Confirmation),
})

export const NextLocation = Contract('NextLocation', { location: Text() })

export const InteractionDetails = Contract('InteractionDetails', {
  prompt: OneOf(['login', 'consent']),
  client: Contract('InteractionClient', {
    client_id: Text(),
    client_name: Text(),
    document_host: Nullable(Text()),
    returns_to: Contract('InteractionReturn', {
      kind: OneOf(['site', 'machine', 'app'], {
        description: "A web site, a program on the person's own machine, or an app that has taken a scheme there",
      }),
      name: Text({ description: 'The host; of an app the scheme' }),
    }),
    registration: OneOf(['key', 'open', 'document']),
  }),
  scopes: ListOf(Contract('InteractionScope', { name: Text() })),
  resource: Text(),
  user: Nullable(Contract('InteractionUser', { email: Text(), name: Text() })),
  tenant: Nullable(Contract('InteractionTenant', { id: Text(), name: Text() })),
  fault: Nullable(OneOf(['other_tenant', 'registration_closed', 'nothing_to_grant'])),
  sign_in_again: Type.Boolean({ description: 'Whether somebody signed in has to do it anew' }),
})

/** Free-form metadata document: its members are those of its RFC. */
export const Metadata = FreeForm()
