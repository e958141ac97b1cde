import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Config } from '../../../config.ts'
import { databaseFile, hasDatabase } from '../../../platform/database/sqlite-file.ts'
import { checkSecretFile, SECRET_KEY_NEEDED, SecretFileError } from '../../../platform/secret-file.ts'
import { indexShareOf } from '../../../search/memory/host/heap-guard.ts'
import { isService, listeningPorts, openIn } from '../linux-processes.ts'
import { fail, ok, type PlaceCheck, warn } from './check.ts'

const NODE_MAJOR_MIN = 24
const FREE_WARN_BYTES = 1024 ** 3
const FREE_FAIL_BYTES = 100 * 1024 ** 2
/** Before this time the program did not exist. A machine without a clock battery starts with an earlier one. */
const CLOCK_MIN_MS = Date.UTC(2026, 0, 1)

export const checkNode: PlaceCheck = async () => {
  const { node } = process.versions
  return Number(node.split('.')[0]) >= NODE_MAJOR_MIN
    ? ok(`Node ${node}`)
    : fail(`Node ${node} is too old: use npm start, which installs its own Node`)
}

export const checkClock: PlaceCheck = async () => {
  const now = new Date().toISOString()
  return Date.now() > CLOCK_MIN_MS
    ? ok(`clock says ${now}`)
    : fail(`the clock says ${now}: keys would expire at the wrong time; set the clock, for example by NTP`)
}

/** Returns the address at which the service of the settings listens. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export const checkPort: PlaceCheck = async ({ port, host, dataDir, databaseUrl }) => {
  if (port === 0) return ok('the service takes any free port')
  const code = await new Promise<string | null>((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
  if (code === null) {
    const elsewhere = databaseUrl === null ? openIn(databaseFile(dataDir)).find(isService) : undefined
    return elsewhere === undefined
      ? ok(`port ${port} on ${host} is free: no service runs there`)
      : ok(
          `no service runs on ${host}:${port}, by this shell's PORT; the service in process ${elsewhere} listens ` +
            `${placeOf(elsewhere)}: give the doctor the PORT and HOST of the service`,
        )
  }
  if (code !== 'EADDRINUSE') return fail(`cannot listen on ${host}:${port} (${code}): change HOST or PORT`)
  const answer = await fetch(`${addressOf({ host, port })}/healthz`, {
    signal: AbortSignal.timeout(2_000),
  }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok
    ? ok(`a service answers on ${host}:${port}`)
    : warn(`another program uses ${host}:${port}: set PORT to another port before npm start`)
}

/** Says on which ports a process listens, with that of its probes. */
function placeOf(pid: string): string {
  const ports = listeningPorts(pid)
  if (ports.length === 0) return 'elsewhere'
  return `on ${ports.length === 1 ? 'port' : 'ports'} ${ports.join(' and ')}`
}

export const checkDataDirectory: PlaceCheck = async ({ dataDir, databaseUrl }) => {
  if (databaseUrl !== null) return ok('all data is in PostgreSQL')
  if (!hasDatabase(dataDir))
    return fail(
      `there is no database in ${dataDir}: set DATABASE_URL or DATA_DIR as the service has it, or start it once`,
    )
  try {
    for (const path of [dataDir, databaseFile(dataDir)]) accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException
    return fail(`this user may not write ${path}: give it to the user that the service runs as`)
  }
  const megabytes = Math.ceil(statSync(databaseFile(dataDir)).size / 1024 ** 2)
  return ok(`${databaseFile(dataDir)}, ${megabytes} MB`)
}

export const checkSecret: PlaceCheck = async ({ secretKey, dataDir, databaseUrl }) => {
  if (secretKey !== null) return ok('SECRET_KEY is set')
  try {
    const isThere = checkSecretFile(dataDir)
    if (databaseUrl !== null) return warn(SECRET_KEY_NEEDED)
    return ok(isThere ? `the key in ${dataDir} can be read` : 'the service creates a key when it needs one')
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error
    return fail(error.message)
  }
}

export const checkSpace: PlaceCheck = async ({ dataDir, databaseUrl, searchSnapshotMb }) => {
  const isUsed = databaseUrl === null || searchSnapshotMb > 0
  if (!isUsed || !existsSync(dataDir)) return ok('no space is needed here')
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${(free / 1024 ** 3).toFixed(1)} GB free on the disk of the data`
  if (free >= FREE_WARN_BYTES) return ok(text)
  // With PostgreSQL only copies of search indexes lie here.
  if (databaseUrl !== null) return warn(`${text}: without room for search indexes a restart builds them anew`)
  return free < FREE_FAIL_BYTES
    ? fail(`${text}: free some space, or writes will fail soon`)
    : warn(`${text}: free some space soon`)
}

/** The option with Node's limit of the heap in MB, which wins over the size that the service sets. */
const HEAP_OPTION = /--max[-_]old[-_]space[-_]size[= ](\d+)/g

export const checkMemory: PlaceCheck = async ({ searchMemoryMb, searchMemoryPerTenantMb }) => {
  const text = `search indexes may take ${searchMemoryMb} MB, those of a tenant ${searchMemoryPerTenantMb} MB`
  const limit = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').matchAll(HEAP_OPTION).toArray().at(-1)
  const shareMb = limit === undefined ? searchMemoryMb : Math.floor(indexShareOf(Number(limit[1]) * 2 ** 20) / 2 ** 20)
  return shareMb >= searchMemoryMb
    ? ok(text)
    : warn(`${text}, but Node's heap has room for ${shareMb} MB of it: raise --max-old-space-size or leave it out`)
}

/** Lists other processes that have the database open. Only Linux tells them, and only those of this user. */
export const checkOtherProcesses: PlaceCheck = async ({ dataDir, databaseUrl }) => {
  const file = databaseFile(dataDir)
  if (databaseUrl !== null || process.platform !== 'linux' || !existsSync(file))
    return ok('processes share the database')
  const others = openIn(file).map((pid) => `${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`)
  return others.length === 0
    ? ok('no other process has the database open')
    : ok(`the database is also open in process ${others.join(', ')}, which is fine`)
}
