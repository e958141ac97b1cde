import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCache, MALLOC_SETTINGS } from '../../scripts/runtime.mjs'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { type DatabaseOptions, openDatabase } from '../../src/platform/database/database.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'

/** The folder of this program. */
export const PROGRAM = fileURLToPath(new URL('../..', import.meta.url))
const READY = /Knowledge Service is ready at (\S+)/
/**
 * Milliseconds in which the service must become ready, far more than a start takes, since tests also run on busy
 * machines.
 */
const READY_WITHIN_MS = 120_000

/** The real service in its own process, with an empty temporary directory. */
export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Tells whether the process is still running. */
  isAlive(): boolean
  /** Creates a tenant; the key belongs to one of its users with the role admin. */
  tenant(id: string): Promise<{ key: string }>
  /** Stops the service and deletes its directory. */
  stop(): Promise<void>
}

/**
 * Starts the service.
 * @param settings environment variables of the service
 * @param nodeFlags flags such as --cpu-prof
 * @param wrapper a command with arguments that finally executes the command it is given
 * @param program folder of another state of the program, to compare with
 * @throws Error with the service's output when it does not become ready
 */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
  wrapper: readonly string[] = [],
  program = PROGRAM,
): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-bench-'))
  const [command, ...args] = [...wrapper, process.execPath, ...nodeFlags, join(program, 'src/main.ts'), 'serve']
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...MALLOC_SETTINGS,
      NODE_COMPILE_CACHE: compileCache,
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      STOP_DELAY_SECONDS: '0',
      // A benchmark that is about reading says so.
      EMBEDDING_MODEL: 'static-de-en-v2',
      ...settings,
    },
  })
  const url = await readyLine(child, READY)
  return {
    url,
    pid: child.pid!,
    dataDir,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    tenant: (id) =>
      addTenant({ dataDir: settings.DATA_DIR ?? dataDir, databaseUrl: settings.DATABASE_URL ?? null }, id),
    async stop() {
      await endProcess(child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function addTenant(place: DatabaseOptions, id: string): Promise<{ key: string }> {
  const database = openDatabase(place)
  try {
    await createTenant(database, { id, name: id, host: null })
    const { id: userId } = await createUser(database, id, { email: `bench@${id}.example`, name: id, role: 'admin' })
    return await issueApiKey(database, id, { name: 'bench', scopes: ROLE_SCOPES.admin, userId, expiresAt: null })
  } finally {
    await database.close()
  }
}

/**
 * Waits for a matching line of the child's output. Later error output is passed on. @returns the line's first group
 * @throws Error with the output so far when the child ends first or takes too long
 */
export function readyLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  endWithUs(child)
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS)
    const fail = (what: string): void => {
      clearTimeout(timer)
      child.kill()
      reject(new Error(`The process ${what}:\n${said}`))
    }
    const onEnd = (code: number | null): void => fail(`ended with ${code}`)
    child.once('exit', onEnd)
    // The service announces itself on standard error, other programs on standard output.
    child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
    const onData = (chunk: Buffer): void => {
      said += chunk.toString()
      const match = pattern.exec(said)
      if (match === null) return
      clearTimeout(timer)
      child.off('exit', onEnd)
      child.stderr?.off('data', onData)
      child.stdout?.off('data', onData)
      child.stdout?.on('data', (later: Buffer) => process.stderr.write(later))
      resolve(match[1])
    }
    child.stderr?.on('data', onData)
    child.stdout?.on('data', onData)
  })
}

/** Ends the child when this process ends, for whatever reason. */
export function endWithUs(child: ChildProcess): void {
  const end = (): boolean => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Asks a child to end and waits until it has. */
export function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
