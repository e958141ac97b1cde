import { type Logger, pino } from 'pino'
import { readConfig, SETTINGS, type Config } from '../../config.ts'
import { HeapRelease } from '../../platform/threads/heap-release.ts'
import { logSettings } from '../../platform/http/logger.ts'
import { loadHandler } from '../mcp/load-handler.ts'
import { loadProvider } from '../../identity/oauth/protocol/load-provider.ts'
import { type Service, startService } from '../../server.ts'
import type { Bootstrap } from '../../composition/bootstrap.ts'
import { type CommandLine, readArguments, refuseMore } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { onStopSignal } from './interrupt.ts'
import { isReadableOnTheWay, listeningOn, nearAddress, PLAIN_HTTP } from './listening.ts'

const OPEN_REGISTRATION = calledAs('tenant set oauthRegistration=open')
const NEW_KEY = calledAs('key issue --name NAME --role admin')
const NEW_PASSWORD = calledAs('user password EMAIL')
/** After this a stop that hangs is cut off. */
const STOP_WITHIN_MS = 12_000
/** Time for the first search of somebody who waits for the announcement. */
const LOAD_AHEAD_MS = 1_000

const LINE = { usage: 'serve', about: help(), options: {} } satisfies CommandLine<Record<string, never>>

export const lines = [LINE]

/** Serves until it is told to stop by SIGINT or SIGTERM. */
export async function run(args: readonly string[]): Promise<number> {
  const words = readArguments(args, LINE)
  if (words === null) return 0
  refuseMore(words.positionals, 'serve')
  const config = readConfig(process.env)
  const logger = createLogger(config)
  const service = await startService(config, logger)
  // Listening first: whoever waits for the announcement may stop the service at once.
  const stopped = stopSignal()
  HeapRelease.start()
  announce(config, service)
  setTimeout(loadAhead, LOAD_AHEAD_MS, logger).unref()
  if (isReadableOnTheWay(config)) logger.warn({ host: config.host }, PLAIN_HTTP)
  const signal = await stopped
  logger.info({ signal }, 'stopping')
  const deadline = setTimeout(() => process.exit(1), STOP_WITHIN_MS)
  await service.stop()
  clearTimeout(deadline)
  return 0
}

/**
 * What OAuth and assistants need is a third of all the code. It would make the start slower, and its first request
 * would hold up everybody else's for a fifth of a second.
 */
function loadAhead(logger: Logger): void {
  Promise.all([loadProvider(), loadHandler()]).catch((error: unknown) => {
    logger.warn({ err: error }, 'OAuth and MCP could not be loaded ahead')
  })
}

function createLogger(config: Config) {
  const settings = logSettings(config.logLevel)
  if (!process.stdout.isTTY) return pino(settings)
  const pretty = {
    target: 'pino-pretty',
    options: { colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' },
  }
  return pino({ ...settings, formatters: undefined, transport: pretty })
}

/** A second signal ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    onStopSignal(resolve, () => process.exit(1))
  })
}

function announce(config: Config, { url, publicUrl, created }: Service): void {
  const where = config.databaseUrl === null ? config.dataDir : 'PostgreSQL'
  // A key the operator brought is known to the operator, and logs are collected.
  const isGenerated = created !== null && config.bootstrap.apiKey === null
  const key = isGenerated ? created.key : '$KNOWLEDGE_API_KEY'
  const local = nearAddress(url)
  const lines = [
    '',
    `Knowledge Service is ready at ${local}`,
    `  listens on ${listeningOn(config.host, url)}`,
    `  data       ${where}`,
    `  reference  ${local}/docs`,
    `  console    ${publicUrl}/console`,
    `  assistants ${publicUrl}/mcp (they register themselves after: ${OPEN_REGISTRATION})`,
  ]
  if (created !== null) lines.push('', ...firstCredentials(config, created))
  lines.push('', 'Search:', `  ${curlLine(local, key)}`, '')
  if (!isGenerated) lines.push(`A new key, when none is at hand:\n  ${NEW_KEY}`, '')
  if (created === null) lines.push(`A password for the console, when none is at hand:\n  ${NEW_PASSWORD}`, '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

function firstCredentials({ bootstrap }: Config, { key, password, email }: Bootstrap): string[] {
  return [
    bootstrap.apiKey === null
      ? `First API key, shown this once: ${key}`
      : 'The first API key is that of BOOTSTRAP_API_KEY.',
    bootstrap.adminPassword === null
      ? `First password, shown this once: ${password}`
      : 'The first password is that of BOOTSTRAP_ADMIN_PASSWORD.',
    `Both belong to ${email}, with the role admin, in the organisation (tenant) default.`,
  ]
}

function curlLine(url: string, key: string): string {
  const path = `${url}/api/knowledge/knowledge-entries/search`
  return `curl -s ${path} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"query": "how do I start?", "mode": "hybrid"}'`
}

/** A default that is told in parentheses, as what follows from others is, without them. */
function unwrapped(text: string): string {
  return text.replace(/^\((.*)\)$/, '$1')
}

function help(): string {
  const settings = Object.values(SETTINGS)
  const width = Math.max(...settings.map(({ name }) => name.length))
  const lines = settings.map((s) => `  ${s.name.padEnd(width)}  ${s.meaning} (default ${unwrapped(s.default)})`)
  return (
    'Starts the service. The first start prints an API key and the password of the first user, once; another password ' +
    `is set with: ${NEW_PASSWORD}\n\nSettings are environment variables:\n\n${lines.join('\n')}`
  )
}
