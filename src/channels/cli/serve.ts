import { join, relative } from 'node:path'
import { type Logger, pino } from 'pino'
import { ConfigError, readConfig, SETTINGS, type Config } from '../../config.ts'
import { LISTENING } from '../../config/topics/listening.ts'
import { HeapRelease } from '../../platform/threads/heap-release.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { logSettings } from '../../platform/http/logger.ts'
import { loadHandler } from '../mcp/load-handler.ts'
import { loadProvider } from '../../identity/oauth/protocol/load-provider.ts'
import { type Service, startService } from '../../server.ts'
import type { Bootstrap } from '../../composition/bootstrap.ts'
import { type CommandLine, type Option, readArguments, refuseMore } from './arguments.ts'
import { calledAs, calledHere } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { reportFailure, UsageError } from './failure.ts'
import { onStopSignal } from './interrupt.ts'
import { type Ending, ProcessPort } from '../../platform/processes/process-port.ts'
import { superviseProcesses } from './supervise.ts'
import { isExposedOverPlainHttp, listeningOn, localhostAddress, PLAIN_HTTP } from './listening.ts'

const GUIDES = join(import.meta.dirname, '../../../docs/guides')
const NEW_PASSWORD = 'user password EMAIL'
const NOTHING_TO_REPLACE = 'SIGUSR2 replaces several processes, and goes to their parent; this one goes on'
/** Time that a stop may take after its delay, before the process ends anyway. */
const STOP_WITHIN_MS = 12_000
/** Time that the process may live on after the whole service is closed. */
const LINGER_MS = 500
/** Delay of loading code on a first start, so that the first requests after the announcement are not slow. */
const LOAD_AHEAD_MS = 1_000

const OPTIONS = {
  processes: { type: 'string', value: 'N', help: 'processes that share the port, in place of the setting PROCESSES' },
} as const satisfies Record<string, Option>
const LINE = { usage: 'serve', about: help(), options: OPTIONS } satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/**
 * Serves until SIGINT or SIGTERM.
 * @throws DatabaseRefused when PostgreSQL has refused the running service for too long
 */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'serve')
  const config = readConfig(call.env)
  const count = processesOf(words.values.processes) ?? config.processes
  const port = ProcessPort.open()
  const logger = createLogger(config, port === null ? {} : { process: port.number })
  if (call.env.SEARCH_PEERS && config.searchPassing === null) {
    throw new ConfigError(['SEARCH_PEERS needs SEARCH_LISTEN, the address at which this process answers the others'])
  }
  if (count > 1 && port === null) return superviseProcesses(config, count, logger)
  // Without a listener the signal would end the process.
  if (process.platform !== 'win32') process.on('SIGUSR2', () => logger.warn({}, NOTHING_TO_REPLACE))
  // Listen for signals first: a start may wait for its database, and a container has no other way to end it.
  const stopped = stopSignal(port)
  const starting = startService(config, logger, { port, loadAhead: () => loadAhead(logger) })
  const service = await Promise.race([starting, stopped.then(() => null)])
  // Nothing is served yet, and what a start has begun in the database is undone with its connection.
  if (service === null) process.exit(0)
  HeapRelease.start()
  // Nothing was loaded before the announcement of a first start: people must see its key.
  if (service.created !== null) setTimeout(loadAhead, LOAD_AHEAD_MS, logger).unref()
  // Of several processes the first one speaks for all.
  if (port === null || port.isFirst) {
    announce(config, service, call)
    if (isExposedOverPlainHttp(config)) logger.warn({ host: config.host }, PLAIN_HTTP)
  }
  port?.tellServing()
  const ending = await Promise.race([stopped, service.refused])
  if (ending instanceof DatabaseRefused) {
    await endRefused(service, ending, logger, call)
    throw ending
  }
  // After ctrl-C no load balancer has to notice that the service leaves.
  const delayMs = ending === 'SIGINT' ? 0 : config.stopDelaySeconds * 1_000
  logger.info({ signal: ending, delayMs }, 'stopping')
  const deadline = setTimeout(() => process.exit(1), delayMs + STOP_WITHIN_MS)
  if (ending === 'hand-over') await service.handOver(delayMs)
  else await service.leave(delayMs)
  await service.stop()
  clearTimeout(deadline)
  endSoon(0)
  return 0
}

/** Closes a service that its database refuses for good. Writes that still wait for the database are lost. */
async function endRefused(
  service: Service,
  refused: DatabaseRefused,
  logger: Logger,
  call: CommandCall,
): Promise<void> {
  const deadline = setTimeout(() => process.exit(reportFailure(refused, call.stderr)), STOP_WITHIN_MS)
  await service.stop().catch((error: unknown) => logger.warn({ err: error }, 'not everything could be closed'))
  clearTimeout(deadline)
  endSoon(1)
}

/** Ends the process soon, even while OpenTelemetry still tries to reach a receiver of traces that is away. */
function endSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LINGER_MS).unref()
}

/**
 * Loads the code of OAuth and MCP, a third of all code, while the search thread gets ready. At the first request it
 * would delay all other requests by a fifth of a second. Never rejects.
 */
async function loadAhead(logger: Logger): Promise<void> {
  try {
    await Promise.all([loadProvider(), loadHandler()])
  } catch (error) {
    logger.warn({ err: error }, 'OAuth and MCP could not be loaded ahead')
  }
}

/** Makes the log. @param base fields of every line */
function createLogger(config: Config, base: Readonly<Record<string, unknown>>) {
  const settings = { ...logSettings(config.logLevel), base }
  if (!process.stdout.isTTY) return pino(settings)
  const pretty = {
    target: 'pino-pretty',
    options: { colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' },
  }
  return pino({ ...settings, formatters: undefined, transport: pretty })
}

/** Resolves with the reason when the service has to stop. A second signal ends the process at once. */
function stopSignal(port: ProcessPort | null): Promise<Ending> {
  return new Promise((resolve) => {
    onStopSignal(resolve, () => process.exit(1))
    void port?.ending.then(resolve)
  })
}

/** Reads the option `--processes`. @throws UsageError for text that is no number of processes */
function processesOf(option: string | undefined): number | null {
  if (option === undefined) return null
  try {
    return LISTENING.settings.processes.read(option)
  } catch (error) {
    throw new UsageError(`--processes ${(error as Error).message}`)
  }
}

function announce(config: Config, { url, publicUrl, created }: Service, { env, stderr }: CommandCall): void {
  const where = config.databaseUrl === null ? config.dataDir : 'PostgreSQL'
  // The operator knows a key from the settings, and the announcement may end up in collected logs.
  const isGenerated = created !== null && config.bootstrap.apiKey === null
  const key = isGenerated ? created.key : '$KNOWLEDGE_API_KEY'
  const local = localhostAddress(url)
  const lines = [
    '',
    `Knowledge Service is ready at ${local}`,
    `  listens on ${listeningOn(config.host, url)}`,
    `  data       ${where}`,
    `  reference  ${local}/docs`,
    `  console    ${publicUrl}/console`,
    `  assistants ${publicUrl}/mcp (to let them register themselves: ${calledHere('tenant set oauthRegistration=open', env)})`,
  ]
  if (created !== null) lines.push('', ...firstCredentials(config, created))
  const search = `  ${curlLine(local, key)}`
  if (created === null) lines.push('', 'Search:', search, '')
  else lines.push('', 'Put the guides in, in another shell:', `  ${importGuides(env)}`, '', 'Then search:', search, '')
  if (!isGenerated)
    lines.push(`If you have no key, issue one:\n  ${calledHere('key issue --name NAME --role admin', env)}`, '')
  if (created === null)
    lines.push(`If you have no password for the console, set one:\n  ${calledHere(NEW_PASSWORD, env)}`, '')
  // Standard output has the log, whose readers expect JSON.
  stderr.write(`${lines.join('\n')}\n`)
}

function firstCredentials({ bootstrap }: Config, { key, password, email }: Bootstrap): string[] {
  return [
    bootstrap.apiKey === null
      ? `First API key, shown only once: ${key}`
      : 'The first API key is the value of BOOTSTRAP_API_KEY.',
    bootstrap.adminPassword === null
      ? `First password, shown only once: ${password}`
      : 'The first password is the value of BOOTSTRAP_ADMIN_PASSWORD.',
    `Both belong to ${email}, with the role admin, in the organisation (tenant) default.`,
  ]
}

function curlLine(url: string, key: string): string {
  const path = `${url}/api/knowledge/knowledge-entries/search`
  return `curl -s ${path} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"query": "how do I connect Claude?", "mode": "hybrid", "limit": 3, "fields": ["title"], "excerpt": {}}'`
}

/**
 * Returns the import of the guides as another shell takes it, in the folder of the call: the clone after `npm start`.
 */
function importGuides(env: CommandCall['env']): string {
  const folder = env.npm_lifecycle_event === 'start' ? (env.INIT_CWD ?? '') : ''
  return calledHere(`import ${relative(folder, GUIDES)} --language en`, env)
}

/** Removes the parentheses of a default, which the help puts in parentheses itself. */
function unwrapped(text: string): string {
  return text.replace(/^\((.*)\)$/, '$1')
}

function help(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length))
  const lines = SETTINGS.map(
    ({ name, meaning, defaultWords }) => `  ${name.padEnd(width)}  ${meaning} (default ${unwrapped(defaultWords)})`,
  )
  return (
    'Starts the service. The first start prints an API key and the password of the first user, only once. To set ' +
    `another password: ${calledAs(NEW_PASSWORD)}\n\nSettings are environment variables:\n\n${lines.join('\n')}`
  )
}
