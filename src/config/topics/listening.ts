import { readTrustedProxies, TRUSTED_PROXIES_ALLOWED } from '../../platform/throttling/trusted-proxies.ts'
import { hasUser } from '../../platform/web-url.ts'
import { choice, httpUrl, integer, kind, PROCESSES_MAX, secret, textThat } from '../kinds.ts'
import { type Kind, setting, topic, type ValuesOf } from '../setting.ts'
import type { With } from '../values.ts'

const LOCALHOST = '127.0.0.1'

/** Address to listen on. `localhost` may stand for two addresses; it becomes the same one on every machine. */
const listeningHost = kind('an address of this machine, or localhost', (raw) => (raw === 'localhost' ? LOCALHOST : raw))

const METRICS_TOKEN_MIN = 20
const metricsToken = secret(
  textThat(
    `at least ${METRICS_TOKEN_MIN} letters, digits, or signs of a bearer token`,
    (raw) => raw.length >= METRICS_TOKEN_MIN && /^[\w.~+/-]+=*$/.test(raw),
  ),
)

const originUrl: Kind<string> = {
  ...httpUrl,
  allowed: 'an http or https address without a path and a user',
  read(raw) {
    const value = httpUrl.read(raw)
    const url = new URL(value)
    if (hasUser(url)) throw new Error('must have no user: the address is public')
    if (url.pathname !== '/') throw new Error('must have no path: the service runs at the root of its host')
    return value
  },
}

export const LISTENING = topic({
  title: 'Address and processes',
  ownPrefixes: [],
  settings: {
    port: setting({
      name: 'PORT',
      kind: integer(0, 65_535),
      default: '8080',
      meaning: 'The port that the service listens on, once it is ready. 0 takes a free one.',
      example: '3000',
    }),
    host: setting({
      name: 'HOST',
      kind: listeningHost,
      default: LOCALHOST,
      meaning: 'The address that the service listens on.',
      example: '0.0.0.0',
    }),
    /** Null: probes and metrics are answered on the service's port. */
    probePort: setting({
      name: 'PROBE_PORT',
      kind: integer(1, 65_535),
      defaultWords: '(none)',
      meaning:
        'A port of its own for /healthz, /readyz and /metrics, on HOST. It is open from the start on, while PORT opens ' +
        'once the service is ready. PORT then has no /metrics.',
      example: '9090',
    }),
    metricsToken: setting({
      name: 'METRICS_TOKEN',
      kind: metricsToken,
      defaultWords: '(none)',
      meaning:
        'What readers of /metrics must send as bearer token. Without it everybody who reaches the port may read.',
      example: 'dRw8Jt2nXq0uLs5ZyKbE',
    }),
    publicUrl: setting({
      name: 'PUBLIC_URL',
      kind: originUrl,
      defaultWords: 'http://localhost:PORT',
      meaning: 'The address at which clients reach the service.',
      example: 'https://knowledge.example.com',
    }),
    /** Number of processes that share the port; with 1 there is no supervisor. */
    processes: setting({
      name: 'PROCESSES',
      kind: integer(1, PROCESSES_MAX),
      default: '1',
      meaning: 'How many processes share the port. Each has threads, connections and search memory of its own.',
      example: '4',
    }),
    stopDelaySeconds: setting({
      name: 'STOP_DELAY_SECONDS',
      kind: integer(0, 300),
      default: '5',
      meaning:
        'How long SIGTERM leaves the port open. Meanwhile /readyz says 503, and load balancers turn away. SIGINT stops ' +
        'at once.',
      example: '15',
    }),
    trustProxy: setting({
      name: 'TRUST_PROXY',
      kind: { allowed: TRUSTED_PROXIES_ALLOWED, isSecret: false, read: readTrustedProxies },
      default: 'false',
      meaning:
        'The proxies whose X-Forwarded-For and X-Forwarded-Proto the service trusts: true for one, their number, or ' +
        'their addresses and networks.',
      example: '10.0.0.0/8,fd00::/8',
    }),
    answerCompression: setting({
      name: 'ANSWER_COMPRESSION',
      kind: choice(['on', 'off']),
      default: 'on',
      meaning:
        'Whether answers of the API are compressed for clients that accept it. Switch it off where a proxy compresses ' +
        'them itself.',
      example: 'off',
    }),
  },
})

type Values = ValuesOf<typeof LISTENING.settings>
export type ListeningConfig = With<Values, 'publicUrl'>

/** Completes the settings of listening. Without a public address it is that of the port on this machine. */
export function listeningConfig(values: Values): ListeningConfig {
  return { ...values, publicUrl: values.publicUrl ?? `http://localhost:${values.port}` }
}
