import { join, resolve } from 'node:path'
import { readTrustedProxies, type TrustedProxies } from './platform/throttling/trusted-proxies.ts'
import { editDistance } from './platform/edit-distance.ts'
import { isPasswordLength, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './platform/access/password-length.ts'

const DAY_SECONDS = 86_400

/** Every setting of the service, checked once at the start. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly bootstrap: {
    readonly apiKey: string | null
    readonly adminEmail: string
    /** Null: a password is generated. */
    readonly adminPassword: string | null
  }
  /** Seals secrets in the database that must be read again; null: the key is a file in the data directory. */
  readonly secretKey: string | null
  readonly oauth: OAuthConfig
  /** The outside OpenID provider people may sign in with. */
  readonly signInProvider: SignInProviderConfig | null
  readonly embedding: {
    readonly provider: string
    readonly url: string | null
    readonly model: string | null
    readonly apiKey: string | null
    readonly dimensions: number | null
  }
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly rateLimitPerMinute: number
  readonly connectionsPerAddress: number
  readonly searchMemoryMb: number
  readonly searchMemoryPerTenantMb: number
  readonly trustProxy: TrustedProxies
}

/** Lifetimes of tokens that the OAuth server issues. */
export interface OAuthConfig {
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  /** How long a refresh token may be used again after its rotation, by a client that lost the answer. */
  readonly refreshGraceSeconds: number
}

export interface SignInProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The text on its button. */
  readonly name: string
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

interface Setting<T> {
  readonly name: string
  readonly meaning: string
  readonly default: string
  /** @throws Error with a message that continues "NAME …" */
  readonly read: (raw: string | undefined) => T
}

function setting<T>(name: string, fallback: string, meaning: string, read: (raw: string | undefined) => T): Setting<T> {
  return { name, default: fallback, meaning, read }
}

function integer(fallback: number, min: number, max: number) {
  return (raw: string | undefined): number => {
    if (raw === undefined) return fallback
    const value = Number(raw)
    if (!/^\d+$/.test(raw) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return value
  }
}

function oneOf<const T extends string>(fallback: T, values: readonly T[]) {
  return (raw: string | undefined): T => {
    const value = values.find((v) => v === (raw ?? fallback))
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return value
  }
}

function httpUrl(raw: string | undefined): string | null {
  if (raw === undefined) return null
  const url = URL.canParse(raw) ? new URL(raw) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https address')
  return raw.replace(/\/+$/, '')
}

/** Stays as it is written, because issuers are compared character by character. */
function issuerUrl(raw: string | undefined): string | null {
  if (raw === undefined || httpUrl(raw) === null) return null
  const { protocol, hostname } = new URL(raw)
  const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isThisMachine) throw new Error('must be an https address')
  return raw
}

function originUrl(raw: string | undefined): string | null {
  const value = httpUrl(raw)
  if (value !== null && new URL(value).pathname !== '/')
    throw new Error('must have no path: the service runs at the root of its host')
  return value
}

function postgresUrl(raw: string | undefined): string | null {
  if (raw === undefined) return null
  if (!/^postgres(ql)?:\/\//.test(raw) || !URL.canParse(raw)) throw new Error('must be a postgres:// address')
  return raw
}

function apiKey(raw: string | undefined): string | null {
  if (raw !== undefined && !/^ks_[0-9A-Za-z]{40}$/.test(raw))
    throw new Error('must be ks_ followed by 40 letters or digits')
  return raw ?? null
}

function email(raw: string | undefined): string {
  if (raw !== undefined && !/^[^@\s]+@[^@\s]+$/.test(raw)) throw new Error('must be an email address')
  return raw ?? 'admin@localhost'
}

function password(raw: string | undefined): string | null {
  if (raw !== undefined && !isPasswordLength(raw)) {
    throw new Error(`must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`)
  }
  return raw ?? null
}

function secretKey(raw: string | undefined): string | null {
  if (raw !== undefined && raw.length < 32) throw new Error('must have at least 32 characters')
  return raw ?? null
}

/** `localhost` may resolve to an IPv4 or an IPv6 address; a fixed address is the same on every machine. */
function listeningHost(raw: string | undefined): string {
  return raw === undefined || raw === 'localhost' ? '127.0.0.1' : raw
}

const text = (raw: string | undefined): string | null => raw ?? null

/** The default does not depend on the folder of the call, so that service and command line use the same one. */
function directory(raw: string | undefined): string {
  return raw === undefined ? join(import.meta.dirname, '../data') : resolve(raw)
}

export const SETTINGS = {
  port: setting('PORT', '8080', 'port the service listens on; 0 takes a free one', integer(8080, 0, 65_535)),
  host: setting('HOST', '127.0.0.1', 'address the service listens on', listeningHost),
  publicUrl: setting('PUBLIC_URL', 'http://localhost:PORT', 'address at which clients reach the service', originUrl),
  dataDir: setting('DATA_DIR', "the project's data folder", 'folder of the embedded database and its locks', directory),
  databaseUrl: setting('DATABASE_URL', '(unset)', 'postgres://… keeps everything in PostgreSQL instead', postgresUrl),
  bootstrapApiKey: setting('BOOTSTRAP_API_KEY', '(generated)', 'value of the first API key', apiKey),
  bootstrapAdminEmail: setting('BOOTSTRAP_ADMIN_EMAIL', 'admin@localhost', 'the first user', email),
  bootstrapAdminPassword: setting('BOOTSTRAP_ADMIN_PASSWORD', '(generated)', "the first user's password", password),
  secretKey: setting(
    'SECRET_KEY',
    '(DATA_DIR/secret.key)',
    'encrypts signing keys in the database; must be the same for every process on one database',
    secretKey,
  ),
  oauthAccessTokenSeconds: setting(
    'OAUTH_ACCESS_TOKEN_SECONDS',
    '3600',
    'how long an access token is valid',
    integer(3_600, 60, 86_400),
  ),
  oauthRefreshTokenDays: setting(
    'OAUTH_REFRESH_TOKEN_DAYS',
    '30',
    'days without use after which a refresh token expires',
    integer(30, 1, 365),
  ),
  oauthRefreshGraceSeconds: setting(
    'OAUTH_REFRESH_GRACE_SECONDS',
    '30',
    'how long a refresh token may be used again after its rotation',
    integer(30, 0, 300),
  ),
  signInIssuer: setting('SIGN_IN_ISSUER', '(unset)', 'OpenID provider that people may sign in with', issuerUrl),
  signInClientId: setting('SIGN_IN_CLIENT_ID', '(unset)', 'client id at that provider', text),
  signInClientSecret: setting('SIGN_IN_CLIENT_SECRET', '(unset)', 'client secret at that provider', text),
  signInName: setting('SIGN_IN_NAME', "(the provider's host)", 'text on the button of that provider', text),
  embeddingProvider: setting(
    'EMBEDDING_PROVIDER',
    'builtin',
    'where vectors come from, such as builtin, openai (any compatible endpoint) or transformers (local ONNX)',
    (raw) => raw ?? 'builtin',
  ),
  embeddingUrl: setting('EMBEDDING_URL', '(unset)', 'base address of the endpoint, such as https://host/v1', httpUrl),
  embeddingModel: setting('EMBEDDING_MODEL', '(unset)', 'model name, or folder of a local model', text),
  embeddingApiKey: setting('EMBEDDING_API_KEY', '(unset)', 'bearer token for the endpoint', text),
  embeddingDimensions: setting('EMBEDDING_DIMENSIONS', "(the model's)", 'length of the vectors', (raw) =>
    raw === undefined ? null : integer(0, 1, 16_000)(raw),
  ),
  logLevel: setting('LOG_LEVEL', 'info', 'least important level that is logged', oneOf('info', LOG_LEVELS)),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '0',
    'requests of a credential; 0 is no limit',
    integer(0, 0, 1e9),
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    '256',
    'open connections of an address, except those of TRUST_PROXY; 0 is no limit',
    integer(256, 0, 1e6),
  ),
  searchMemoryMb: setting('SEARCH_MEMORY_MB', '2048', 'memory of all search indexes together', integer(2048, 16, 1e6)),
  searchMemoryPerTenantMb: setting(
    'SEARCH_MEMORY_PER_TENANT_MB',
    'half of SEARCH_MEMORY_MB',
    'memory of the search indexes of one tenant together',
    (raw) => (raw === undefined ? null : integer(0, 1, 1e6)(raw)),
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'false',
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: true for one, their number, or their addresses and networks',
    readTrustedProxies,
  ),
} as const satisfies Record<string, Setting<unknown>>

/** Prefixes that only this service uses. An unknown variable with such a prefix is a typing error. */
const OWN_PREFIXES = ['BOOTSTRAP_', 'EMBEDDING_', 'SEARCH_', 'RATE_LIMIT_', 'CONNECTIONS_', 'OAUTH_', 'SIGN_IN_']

const MISSPELT_LENGTH_MIN = 7
const MISSPELT_EDITS_MAX = 2

/** Faulty settings; one line for each, ready to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** The setting that was probably meant: the nearest within three edits, or the only one with this prefix. */
function suggestion(name: string, settings: ReadonlySet<string>): string {
  const [nearest] = [...settings]
    .map((setting) => ({ setting, edits: editDistance(name, setting, 3) }))
    .filter(({ edits }) => edits >= 0)
    .toSorted((a, b) => a.edits - b.edits)
  const longer = [...settings].filter((setting) => setting.startsWith(name))
  const meant = nearest?.setting ?? (longer.length === 1 ? longer[0] : undefined)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** Whether a variable without our prefix is a misspelt setting. Short names are too similar to other variables. */
function isMisspelt(name: string, settings: ReadonlySet<string>): boolean {
  if (name.length < MISSPELT_LENGTH_MIN) return false
  return [...settings].some((setting) => editDistance(name, setting, MISSPELT_EDITS_MAX) >= 0)
}

/**
 * Reads and checks all settings at once. An empty variable counts as unset.
 * @throws ConfigError that names every faulty variable, but never a value, because it may be a secret
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const read = <T>(s: Setting<T>): T => {
    try {
      return s.read(env[s.name] === '' ? undefined : env[s.name])
    } catch (error) {
      faults.push(`${s.name} ${(error as Error).message}`)
      return undefined as T
    }
  }
  const names = new Set<string>(Object.values(SETTINGS).map((s) => s.name))
  for (const name of Object.keys(env)) {
    if (names.has(name)) continue
    const isOurs = OWN_PREFIXES.some((prefix) => name.startsWith(prefix))
    if (isOurs || isMisspelt(name, names)) faults.push(`${name} is not a setting${suggestion(name, names)}`)
  }
  const port = read(SETTINGS.port)
  const signInProvider = (): SignInProviderConfig | null => {
    const issuer = read(SETTINGS.signInIssuer)
    const clientId = read(SETTINGS.signInClientId)
    const clientSecret = read(SETTINGS.signInClientSecret)
    const name = read(SETTINGS.signInName)
    if (!issuer && !clientId && !clientSecret) return null
    if (!issuer || !clientId || !clientSecret) {
      faults.push('SIGN_IN_ISSUER, SIGN_IN_CLIENT_ID and SIGN_IN_CLIENT_SECRET must be set together')
      return null
    }
    return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host }
  }
  const searchMemoryMb = read(SETTINGS.searchMemoryMb)
  const searchMemoryPerTenantMb = read(SETTINGS.searchMemoryPerTenantMb) ?? Math.floor(searchMemoryMb / 2)
  if (searchMemoryPerTenantMb > searchMemoryMb) {
    faults.push(
      `SEARCH_MEMORY_PER_TENANT_MB must be at most SEARCH_MEMORY_MB, which is ${searchMemoryMb}: lower it, or raise SEARCH_MEMORY_MB`,
    )
  }
  const config: Config = {
    port,
    host: read(SETTINGS.host),
    publicUrl: read(SETTINGS.publicUrl) ?? `http://localhost:${port}`,
    dataDir: read(SETTINGS.dataDir),
    databaseUrl: read(SETTINGS.databaseUrl),
    bootstrap: {
      apiKey: read(SETTINGS.bootstrapApiKey),
      adminEmail: read(SETTINGS.bootstrapAdminEmail),
      adminPassword: read(SETTINGS.bootstrapAdminPassword),
    },
    secretKey: read(SETTINGS.secretKey),
    oauth: {
      accessTokenSeconds: read(SETTINGS.oauthAccessTokenSeconds),
      refreshTokenSeconds: read(SETTINGS.oauthRefreshTokenDays) * DAY_SECONDS,
      refreshGraceSeconds: read(SETTINGS.oauthRefreshGraceSeconds),
    },
    signInProvider: signInProvider(),
    embedding: {
      provider: read(SETTINGS.embeddingProvider),
      url: read(SETTINGS.embeddingUrl),
      model: read(SETTINGS.embeddingModel),
      apiKey: read(SETTINGS.embeddingApiKey),
      dimensions: read(SETTINGS.embeddingDimensions),
    },
    logLevel: read(SETTINGS.logLevel),
    rateLimitPerMinute: read(SETTINGS.rateLimitPerMinute),
    connectionsPerAddress: read(SETTINGS.connectionsPerAddress),
    searchMemoryMb,
    searchMemoryPerTenantMb,
    trustProxy: read(SETTINGS.trustProxy),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}
