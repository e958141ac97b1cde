import { join, resolve } from 'node:path'
import {
  readTrustedProxies,
  TRUSTED_PROXIES_ALLOWED,
  type TrustedProxies,
} from './platform/throttling/trusted-proxies.ts'
import { type HostPort, isEveryAddress, parseHostPort } from './platform/host-port.ts'
import { type IpNetwork, parseNetwork } from './platform/throttling/ip-address.ts'
import { isPostgresUrl, POOL_MAX } from './platform/database/postgres-address.ts'
import { editDistance } from './platform/edit-distance.ts'
import { SECRET_CHARACTERS_MIN } from './platform/secret-file.ts'
import { isPasswordLength, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './platform/access/password-length.ts'

const DAY_SECONDS = 86_400
/** More than machines have cores that one service could use. */
const PROCESSES_MAX = 64
/** More than any model in use has; the rows of the search engine are no longer either. */
export const EMBEDDING_DIMENSIONS_MAX = 8_192

/** Every setting of the service, checked once at the start. */
export interface Config {
  /** How many processes share the port; one is the service itself, without a supervisor. */
  readonly processes: number
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** A streaming replica that long reads may go to. */
  readonly databaseReplicaUrl: string | null
  readonly databasePoolMax: number
  readonly databaseRefusalSeconds: number
  readonly bootstrap: {
    readonly apiKey: string | null
    readonly adminEmail: string
    /** Null: a password is generated. */
    readonly adminPassword: string | null
  }
  /** Seals secrets in the database that must be read again; null: the key is a file in the data directory. */
  readonly secretKey: string | null
  readonly oauth: OAuthConfig
  /** How mail is sent; null: links are shown to be copied. */
  readonly mail: MailConfig | null
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
  /** Which answered requests are logged; see `RequestLogOptions`. */
  readonly requestLog: { readonly percent: number; readonly slowMs: number }
  readonly rateLimitPerMinute: number
  readonly publishableRateLimitPerMinute: number
  readonly operatorRateLimitPerMinute: number
  /** Networks from which operators are served; null for every address. */
  readonly operatorNetworks: readonly IpNetwork[] | null
  readonly connectionsPerAddress: number
  readonly searchMemoryMb: number
  readonly searchMemoryPerTenantMb: number
  /** How many of several processes hold the indexes of a tenant. */
  readonly searchProcessesPerTenant: number
  /** Between which machines searches are passed on; null: between the processes of this machine. */
  readonly searchPassing: SearchPassingConfig | null
  readonly searchSnapshotMb: number
  readonly searchWaitSeconds: number
  readonly stopDelaySeconds: number
  readonly backup: BackupConfig
  readonly trustProxy: TrustedProxies
  /** The standard variables of OpenTelemetry; null where none asks for it. */
  readonly openTelemetry: Readonly<Record<string, string>> | null
}

export interface SearchPassingConfig {
  /** Where the first process of this machine answers the searches of others; the next one has the next port. */
  readonly listen: HostPort
  /** Every process that searches are passed on to; those of this machine may be among them. */
  readonly peers: readonly HostPort[]
}

/** Backups that the service makes, and what every backup is made with. */
interface BackupConfig {
  /** Null: the service makes none by itself. */
  readonly everyHours: number | null
  readonly keep: number
  readonly folder: string
  /** PostgreSQL itself, where the database's address is that of a pooler; null: it is the database's. */
  readonly databaseUrl: string | null
  /** Folder of pg_dump and pg_restore; null: they are looked for. */
  readonly postgresBin: string | null
}

/** Lifetimes of tokens that the OAuth server issues. */
export interface OAuthConfig {
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  /** How long a refresh token may be used again after its rotation, by a client that lost the answer. */
  readonly refreshGraceSeconds: number
}

export interface MailConfig {
  /** Address of the mail server, with its password. */
  readonly smtpUrl: string
  /** The sender. */
  readonly from: string
}

export interface SignInProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Scopes that people are asked for, separated by spaces. */
  readonly scopes: string
  /** The text on its button. */
  readonly name: string
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** What may be written into a setting. */
interface Kind<T> {
  /** In words, for people: `a whole number from 0 to 65535`. */
  readonly allowed: string
  /** What counts where nothing is written, when that is a value one could write. */
  readonly unset?: string
  /** @throws Error with a message that continues "NAME …" */
  readonly read: (raw: string | undefined) => T
}

interface Setting<T> extends Kind<T> {
  readonly name: string
  readonly meaning: string
  /** The default in words; in parentheses where it is no value. */
  readonly default: string
}

/** @param otherwise what counts where nothing is written, when the kind has no value for that */
function setting<T>(name: string, kind: Kind<T>, meaning: string, otherwise = '(unset)'): Setting<T> {
  return { ...kind, name, meaning, default: kind.unset ?? otherwise }
}

function integer(unset: number, min: number, max: number): Kind<number> {
  const { allowed, read } = optionalInteger(min, max)
  return { allowed, unset: String(unset), read: (raw) => read(raw) ?? unset }
}

function optionalInteger(min: number, max: number): Kind<number | null> {
  const allowed = `a whole number from ${min} to ${max}`
  return {
    allowed,
    read(raw) {
      if (raw === undefined) return null
      const value = Number(raw)
      if (!/^\d+$/.test(raw) || value < min || value > max) throw new Error(`must be ${allowed}`)
      return value
    },
  }
}

function oneOf<const T extends string>(unset: T, values: readonly T[]): Kind<T> {
  const allowed = `one of ${values.join(', ')}`
  return {
    allowed,
    unset,
    read(raw) {
      const value = values.find((v) => v === (raw ?? unset))
      if (value === undefined) throw new Error(`must be ${allowed}`)
      return value
    },
  }
}

/** Any text that `isAllowed` lets pass, as it is written. */
function textThat(allowed: string, isAllowed: (raw: string) => boolean, must = 'be'): Kind<string | null> {
  return {
    allowed,
    read(raw) {
      if (raw !== undefined && !isAllowed(raw)) throw new Error(`must ${must} ${allowed}`)
      return raw ?? null
    },
  }
}

const text = textThat('any text', () => true)

function isHttpUrl(raw: string): boolean {
  return URL.canParse(raw) && ['http:', 'https:'].includes(new URL(raw).protocol)
}

const anyHttpUrl = textThat('an http or https address', isHttpUrl)
const httpUrl: Kind<string | null> = {
  ...anyHttpUrl,
  read: (raw) => anyHttpUrl.read(raw)?.replace(/\/+$/, '') ?? null,
}

/** Stays as it is written, because issuers are compared character by character. */
const issuerUrl = textThat('an https address, or an http one of this machine', (raw) => {
  if (!isHttpUrl(raw)) return false
  const { protocol, hostname } = new URL(raw)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
})

const originUrl: Kind<string | null> = {
  allowed: 'an http or https address without a path',
  read(raw) {
    const value = httpUrl.read(raw)
    if (value !== null && new URL(value).pathname !== '/')
      throw new Error('must have no path: the service runs at the root of its host')
    return value
  },
}

const postgresUrl = textThat(
  'a postgres:// address with its password percent-encoded, and ?pooling=transaction behind a pooler that works so',
  isPostgresUrl,
)

const apiKey = textThat('ks_ followed by 40 letters or digits', (raw) => /^ks_[0-9A-Za-z]{40}$/.test(raw))

const FIRST_ADMIN = 'admin@localhost'
const emailAddress = textThat('an e-mail address', (raw) => /^[^@\s]+@[^@\s]+$/.test(raw))
const firstEmail: Kind<string> = {
  ...emailAddress,
  unset: FIRST_ADMIN,
  read: (raw) => emailAddress.read(raw) ?? FIRST_ADMIN,
}

const password = textThat(`${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`, isPasswordLength, 'have')

const smtpUrl = textThat(
  'an smtp:// or smtps:// address',
  (raw) => URL.canParse(raw) && ['smtp:', 'smtps:'].includes(new URL(raw).protocol) && new URL(raw).hostname !== '',
)
const sender = textThat('an e-mail address, or a name with one: Knowledge <knowledge@example.com>', (raw) =>
  /^(?:[^<>@\p{Cc}]* <[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/u.test(raw),
)
const OPENID_SCOPES = 'openid email'
const openidScopes: Kind<string> = {
  allowed: 'names with a space between them, openid among them',
  unset: OPENID_SCOPES,
  read(raw = OPENID_SCOPES) {
    // RFC 6749, section 3.3
    const areNames = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(raw)
    if (!areNames || !raw.split(' ').includes('openid')) throw new Error(`must be ${this.allowed}`)
    return raw
  },
}

const secretKey = textThat(
  `at least ${SECRET_CHARACTERS_MIN} characters`,
  (raw) => raw.length >= SECRET_CHARACTERS_MIN,
  'have',
)

/** One for reads beside two transactions of a tenant. */
const DATABASE_POOL_MIN = 4

const LOCALHOST = '127.0.0.1'
/** The name `localhost` may stand for two addresses, of which a server takes one: the same one everywhere. */
const listeningHost: Kind<string> = {
  allowed: 'an address of this machine, or localhost',
  unset: LOCALHOST,
  read: (raw) => (raw === undefined || raw === 'localhost' ? LOCALHOST : raw),
}

/** The default does not depend on the folder of the call, so that service and command line use the same one. */
const directory: Kind<string> = {
  allowed: 'a folder',
  read: (raw) => (raw === undefined ? join(import.meta.dirname, '../data') : resolve(raw)),
}

const optionalDirectory: Kind<string | null> = {
  ...directory,
  read: (raw) => (raw === undefined ? null : resolve(raw)),
}

const trustedProxies: Kind<TrustedProxies> = {
  allowed: TRUSTED_PROXIES_ALLOWED,
  unset: 'false',
  read: readTrustedProxies,
}

const networks: Kind<readonly IpNetwork[] | null> = {
  allowed: 'addresses and networks, such as 10.0.0.0/8, with commas between',
  read(raw) {
    if (raw === undefined) return null
    const read = raw.split(',').map((network) => parseNetwork(network.trim()))
    if (read.includes(null)) throw new Error(`must be ${networks.allowed}`)
    return read as IpNetwork[]
  },
}

/** Far more than share one database. Every process keeps a connection to each. */
const PEERS_MAX = 256

const hostAndPort: Kind<HostPort | null> = {
  allowed: 'an address of this machine with a port: 10.0.0.1:9400, or [fd00::1]:9400',
  read(raw) {
    if (raw === undefined) return null
    const read = parseHostPort(raw)
    if (read === null) throw new Error(`must be ${hostAndPort.allowed}`)
    return read
  },
}

const hostsAndPorts: Kind<readonly HostPort[] | null> = {
  allowed: `addresses with ports, such as 10.0.0.1:9400,10.0.0.2:9400, with commas between; ${PEERS_MAX} at most`,
  read(raw) {
    if (raw === undefined) return null
    const read = raw.split(',').map(parseHostPort)
    if (read.includes(null) || read.length > PEERS_MAX) throw new Error(`must be ${hostsAndPorts.allowed}`)
    return read as HostPort[]
  },
}

export const SETTINGS = {
  port: setting('PORT', integer(8080, 0, 65_535), 'port the service listens on; 0 takes a free one'),
  host: setting('HOST', listeningHost, 'address the service listens on'),
  publicUrl: setting('PUBLIC_URL', originUrl, 'address at which clients reach the service', 'http://localhost:PORT'),
  processes: setting(
    'PROCESSES',
    integer(1, 1, PROCESSES_MAX),
    'processes that share the port, each with threads, connections and search memory of its own',
  ),
  dataDir: setting('DATA_DIR', directory, 'folder of the embedded database and its locks', "the project's data folder"),
  databaseUrl: setting('DATABASE_URL', postgresUrl, 'postgres://… keeps everything in PostgreSQL instead'),
  databaseReplicaUrl: setting(
    'DATABASE_REPLICA_URL',
    postgresUrl,
    'postgres://… of a streaming replica, from which search indexes in memory are read while it is not behind',
  ),
  databasePoolMax: setting(
    'DATABASE_POOL_MAX',
    integer(POOL_MAX, DATABASE_POOL_MIN, 1_000),
    'connections of a process to PostgreSQL for requests; up to 8 more for its threads and for trying whether it is let in, and another 8 once any tenant is searched by pgvector',
  ),
  databaseRefusalSeconds: setting(
    'DATABASE_REFUSAL_SECONDS',
    integer(60, 1, 86_400),
    'how long a running service waits while PostgreSQL refuses new connections (a changed password, a dropped database) before it ends with exit code 1',
  ),
  bootstrapApiKey: setting('BOOTSTRAP_API_KEY', apiKey, 'value of the first API key', '(generated)'),
  bootstrapAdminEmail: setting('BOOTSTRAP_ADMIN_EMAIL', firstEmail, 'the first user'),
  bootstrapAdminPassword: setting('BOOTSTRAP_ADMIN_PASSWORD', password, "the first user's password", '(generated)'),
  secretKey: setting(
    'SECRET_KEY',
    secretKey,
    'encrypts signing keys in the database; must be the same for every process on one database',
    '(DATA_DIR/secret.key)',
  ),
  oauthAccessTokenSeconds: setting(
    'OAUTH_ACCESS_TOKEN_SECONDS',
    integer(3_600, 60, 86_400),
    'how long an access token is valid',
  ),
  oauthRefreshTokenDays: setting(
    'OAUTH_REFRESH_TOKEN_DAYS',
    integer(30, 1, 365),
    'days without use after which a refresh token expires',
  ),
  oauthRefreshGraceSeconds: setting(
    'OAUTH_REFRESH_GRACE_SECONDS',
    integer(30, 0, 300),
    'how long a refresh token may be used again after its rotation',
  ),
  signInIssuer: setting('SIGN_IN_ISSUER', issuerUrl, 'OpenID provider that people may sign in with'),
  signInClientId: setting('SIGN_IN_CLIENT_ID', text, 'client id at that provider'),
  signInClientSecret: setting('SIGN_IN_CLIENT_SECRET', text, 'client secret at that provider'),
  signInScopes: setting(
    'SIGN_IN_SCOPES',
    openidScopes,
    'what that provider is asked for; add the scope in which it sends names or groups, such as profile or groups',
  ),
  signInName: setting('SIGN_IN_NAME', text, 'text on the button of that provider', "(the provider's host)"),
  smtpUrl: setting(
    'SMTP_URL',
    smtpUrl,
    'mail server for invitations and new passwords, such as smtps://user:password@mail.example.com',
    '(no mail: links are shown to be copied)',
  ),
  mailFrom: setting('MAIL_FROM', sender, 'sender of that mail'),
  embeddingProvider: setting(
    'EMBEDDING_PROVIDER',
    { allowed: 'the name of a provider', unset: 'builtin', read: (raw) => raw ?? 'builtin' },
    'where vectors come from, such as builtin, openai (any compatible endpoint) or transformers (local ONNX)',
  ),
  embeddingUrl: setting('EMBEDDING_URL', httpUrl, 'base address of the endpoint, such as https://host/v1'),
  embeddingModel: setting('EMBEDDING_MODEL', text, 'model name, or folder of a local model'),
  embeddingApiKey: setting('EMBEDDING_API_KEY', text, 'bearer token for the endpoint'),
  embeddingDimensions: setting(
    'EMBEDDING_DIMENSIONS',
    optionalInteger(1, EMBEDDING_DIMENSIONS_MAX),
    'length of the vectors',
    "(the model's)",
  ),
  logLevel: setting('LOG_LEVEL', oneOf('info', LOG_LEVELS), 'least important level that is logged'),
  requestLogPercent: setting(
    'REQUEST_LOG_PERCENT',
    integer(1, 0, 100),
    'of 100 requests without a fault, how many are logged; faulty and slow ones are always',
  ),
  slowRequestMs: setting(
    'SLOW_REQUEST_MS',
    integer(1000, 0, 3_600_000),
    'a request that keeps the service busy for as long is logged with what it spent its time on; 0 logs none',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    integer(0, 0, 1e9),
    'requests a credential may make a minute, in each process; a search counts for each section; 0 is no limit',
  ),
  publishableRateLimitPerMinute: setting(
    'RATE_LIMIT_PUBLISHABLE_PER_MINUTE',
    integer(1200, 0, 1e9),
    'the same for an address with a publishable key; 0 is no limit',
  ),
  operatorRateLimitPerMinute: setting(
    'RATE_LIMIT_OPERATOR_PER_MINUTE',
    integer(1200, 0, 1e9),
    'requests an operator may make a minute, and refused operator credentials of an address, in each process; 0 is no limit',
  ),
  operatorNetworks: setting(
    'OPERATOR_NETWORKS',
    networks,
    'addresses and networks from which /api/operator is served; elsewhere it does not exist',
    '(every address)',
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    integer(256, 0, 1e6),
    'open connections of an address, except those of TRUST_PROXY; 0 is no limit',
  ),
  searchMemoryMb: setting(
    'SEARCH_MEMORY_MB',
    integer(2048, 16, 4096),
    'memory of all search indexes together; vectors lie in one WebAssembly memory, which ends at 4 GiB',
  ),
  searchMemoryPerTenantMb: setting(
    'SEARCH_MEMORY_PER_TENANT_MB',
    optionalInteger(1, 1e6),
    'memory of the search indexes of one tenant together',
    'half of SEARCH_MEMORY_MB',
  ),
  searchProcessesPerTenant: setting(
    'SEARCH_PROCESSES_PER_TENANT',
    integer(1, 1, PROCESSES_MAX),
    "how many of PROCESSES, or of SEARCH_PEERS, hold a tenant's search indexes and answer its searches",
  ),
  searchPeers: setting(
    'SEARCH_PEERS',
    hostsAndPorts,
    'processes of all machines that share tenants, this one among them; searches are passed on to them',
    '(those of PROCESSES)',
  ),
  searchListen: setting(
    'SEARCH_LISTEN',
    hostAndPort,
    'private address at which this process answers searches of SEARCH_PEERS; of several processes each has the next port',
    '(none)',
  ),
  searchWaitSeconds: setting(
    'SEARCH_WAIT_SECONDS',
    integer(5, 1, 300),
    'how long a search waits for its index while it is built, before it gets 503',
  ),
  searchSnapshotMb: setting(
    'SEARCH_SNAPSHOT_MB',
    integer(4096, 0, 1e6),
    'disk in DATA_DIR for search indexes, which a restart then reads instead of building them, and as much again in each process for parts of indexes while memory is short; 0 keeps none',
  ),
  stopDelaySeconds: setting(
    'STOP_DELAY_SECONDS',
    integer(5, 0, 300),
    'how long SIGTERM leaves the port open, while /readyz says 503 and load balancers turn away; SIGINT stops at once',
  ),
  backupEveryHours: setting(
    'BACKUP_EVERY_HOURS',
    optionalInteger(1, 8_760),
    'hours between two backups that the service makes by itself',
    '(unset: it makes none)',
  ),
  backupKeep: setting('BACKUP_KEEP', integer(7, 1, 10_000), 'how many of those backups are kept'),
  backupFolder: setting('BACKUP_FOLDER', optionalDirectory, 'folder of those backups', '(DATA_DIR/backups)'),
  backupDatabaseUrl: setting(
    'BACKUP_DATABASE_URL',
    postgresUrl,
    'postgres://… of the server itself, for pg_dump and pg_restore, where DATABASE_URL has ?pooling=transaction',
    '(DATABASE_URL)',
  ),
  backupPostgresBin: setting(
    'BACKUP_POSTGRES_BIN',
    optionalDirectory,
    'folder of pg_dump and pg_restore, of the version of the server or newer',
    '(looked for)',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    trustedProxies,
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: true for one, their number, or their addresses and networks',
  ),
} as const satisfies Record<string, Setting<unknown>>

/** Prefixes that only this service uses. An unknown variable with such a prefix is a typing error. */
export const OWN_PREFIXES = [
  'BOOTSTRAP_',
  'EMBEDDING_',
  'SEARCH_',
  'REQUEST_LOG_',
  'SLOW_REQUEST_',
  'RATE_LIMIT_',
  'CONNECTIONS_',
  'OAUTH_',
  'SIGN_IN_',
  'OPERATOR_',
  'BACKUP_',
]

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

/** Any of these asks for OpenTelemetry. */
const OTEL_SWITCHES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
]

/** The variables are not ours to check: the SDK reads them, and says what is wrong with them. */
function openTelemetryIn(env: Readonly<Record<string, string | undefined>>): Config['openTelemetry'] {
  const isAsked = OTEL_SWITCHES.some((name) => (env[name] ?? '') !== '')
  if (!isAsked || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const named = Object.entries(env).filter(([name, value]) => name.startsWith('OTEL_') && value !== undefined)
  return Object.fromEntries(named) as Record<string, string>
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
    const scopes = read(SETTINGS.signInScopes)
    return { issuer, clientId, clientSecret, scopes, name: name ?? new URL(issuer).host }
  }
  const mail = (): MailConfig | null => {
    const url = read(SETTINGS.smtpUrl)
    const from = read(SETTINGS.mailFrom)
    if (!url && !from) return null
    if (!url || !from) {
      faults.push('SMTP_URL and MAIL_FROM must be set together')
      return null
    }
    return { smtpUrl: url, from }
  }
  const secret = read(SETTINGS.secretKey)
  const searchPassing = (): SearchPassingConfig | null => {
    const peers = read(SETTINGS.searchPeers)
    const listen = read(SETTINGS.searchListen)
    if (peers === undefined || listen === undefined) return null
    // All processes may share a file with SEARCH_PEERS, and commands answer nobody: only serving needs an address.
    if (listen === null) return null
    if (peers === null) {
      faults.push('SEARCH_LISTEN needs SEARCH_PEERS, the addresses of all processes that share tenants')
      return null
    }
    if (secret === null) faults.push('SEARCH_PEERS needs SECRET_KEY, the same for every process')
    if (listen.port === port) faults.push('SEARCH_LISTEN must have another port than PORT')
    if (isEveryAddress(listen) && !peers.some((peer) => peer.port === listen.port)) {
      faults.push('SEARCH_PEERS must name this process too, since SEARCH_LISTEN is every address of the machine')
    }
    return { listen, peers }
  }
  const searchMemoryMb = read(SETTINGS.searchMemoryMb)
  const searchMemoryPerTenantMb = read(SETTINGS.searchMemoryPerTenantMb) ?? Math.floor(searchMemoryMb / 2)
  if (searchMemoryPerTenantMb > searchMemoryMb) {
    faults.push(
      `SEARCH_MEMORY_PER_TENANT_MB must be at most SEARCH_MEMORY_MB, which is ${searchMemoryMb}: lower it, or raise SEARCH_MEMORY_MB`,
    )
  }
  const dataDir = read(SETTINGS.dataDir)
  const databaseUrl = read(SETTINGS.databaseUrl)
  const databaseReplicaUrl = read(SETTINGS.databaseReplicaUrl)
  if (databaseReplicaUrl && !databaseUrl) faults.push('DATABASE_REPLICA_URL must be set together with DATABASE_URL')
  const config: Config = {
    processes: read(SETTINGS.processes),
    port,
    host: read(SETTINGS.host),
    publicUrl: read(SETTINGS.publicUrl) ?? `http://localhost:${port}`,
    dataDir,
    databaseUrl,
    databaseReplicaUrl,
    databasePoolMax: read(SETTINGS.databasePoolMax),
    databaseRefusalSeconds: read(SETTINGS.databaseRefusalSeconds),
    bootstrap: {
      apiKey: read(SETTINGS.bootstrapApiKey),
      adminEmail: read(SETTINGS.bootstrapAdminEmail),
      adminPassword: read(SETTINGS.bootstrapAdminPassword),
    },
    secretKey: secret,
    oauth: {
      accessTokenSeconds: read(SETTINGS.oauthAccessTokenSeconds),
      refreshTokenSeconds: read(SETTINGS.oauthRefreshTokenDays) * DAY_SECONDS,
      refreshGraceSeconds: read(SETTINGS.oauthRefreshGraceSeconds),
    },
    mail: mail(),
    signInProvider: signInProvider(),
    embedding: {
      provider: read(SETTINGS.embeddingProvider),
      url: read(SETTINGS.embeddingUrl),
      model: read(SETTINGS.embeddingModel),
      apiKey: read(SETTINGS.embeddingApiKey),
      dimensions: read(SETTINGS.embeddingDimensions),
    },
    logLevel: read(SETTINGS.logLevel),
    requestLog: { percent: read(SETTINGS.requestLogPercent), slowMs: read(SETTINGS.slowRequestMs) },
    rateLimitPerMinute: read(SETTINGS.rateLimitPerMinute),
    publishableRateLimitPerMinute: read(SETTINGS.publishableRateLimitPerMinute),
    operatorRateLimitPerMinute: read(SETTINGS.operatorRateLimitPerMinute),
    operatorNetworks: read(SETTINGS.operatorNetworks),
    connectionsPerAddress: read(SETTINGS.connectionsPerAddress),
    searchMemoryMb,
    searchMemoryPerTenantMb,
    searchProcessesPerTenant: read(SETTINGS.searchProcessesPerTenant),
    searchPassing: searchPassing(),
    searchSnapshotMb: read(SETTINGS.searchSnapshotMb),
    searchWaitSeconds: read(SETTINGS.searchWaitSeconds),
    stopDelaySeconds: read(SETTINGS.stopDelaySeconds),
    backup: {
      everyHours: read(SETTINGS.backupEveryHours),
      keep: read(SETTINGS.backupKeep),
      folder: read(SETTINGS.backupFolder) ?? join(dataDir ?? '', 'backups'),
      databaseUrl: read(SETTINGS.backupDatabaseUrl),
      postgresBin: read(SETTINGS.backupPostgresBin),
    },
    trustProxy: read(SETTINGS.trustProxy),
    openTelemetry: openTelemetryIn(env),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}
