import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { startPgvector, whyNoPgvector } from '../../test/support/pgvector.ts'
import { PostgresFigures } from '../support/postgres-figures.ts'
import { cpuSeconds, memoryMb } from '../support/process-figures.ts'
import { endProcess, readyLine } from '../support/service-process.ts'
import type { Question } from './collection.ts'
import type { PeerSettings, Tuning } from './engine.ts'

/** A server that answers searches: the service or a peer. */
export interface Contestant {
  readonly name: string
  readonly url: string
  readonly path: string
  /** Seconds until searches found all entries. */
  readonly loadSeconds: number
  requestOf(question: Question): { readonly body: string; readonly headers: Readonly<Record<string, string>> }
  tune(tuning: Tuning): Promise<void>
  cpuSeconds(): number
  memoryMb(): number
  stop(): Promise<void>
}

/** The engine of a peer, and its questions. */
export interface Peer {
  readonly name: string
  readonly file: string
  readonly asks: 'vectors' | 'words'
}

export const PEERS: readonly Peer[] = [
  { name: 'pgvector', file: 'pgvector', asks: 'vectors' },
  { name: 'zvec', file: 'zvec', asks: 'vectors' },
  { name: 'LanceDB', file: 'lancedb', asks: 'vectors' },
  { name: 'Orama', file: 'orama', asks: 'words' },
  { name: 'MiniSearch', file: 'minisearch', asks: 'words' },
]

const HEAP_MB = 12_288
const HOURS_MS = 4 * 3_600_000
const HEADERS = { 'content-type': 'application/json' }
/**
 * Settings of PostgreSQL with the memory that is recommended for a server of its own. A quarter of the machine's is
 * more than the largest size takes.
 */
const POSTGRES = ['shared_buffers=4GB', 'maintenance_work_mem=4GB', 'jit=off', 'max_wal_size=8GB']

/**
 * Starts a peer's server and loads the content of its folder.
 * @throws Error saying why the peer cannot be measured here
 */
export async function startPeer(peer: Peer, settings: Omit<PeerSettings, 'databaseUrl'>): Promise<Contestant> {
  const close: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const each of close.reverse()) await each()
  }
  try {
    let figures: PostgresFigures | null = null
    let databaseUrl: string | null = null
    if (peer.name === 'pgvector') {
      const why = whyNoPgvector()
      if (why !== false) throw new Error(why)
      const server = await startPgvector(POSTGRES)
      close.push(() => server.stop())
      databaseUrl = server.url
      figures = await PostgresFigures.of(server.url)
      const opened = figures
      close.push(() => opened.close())
    }
    const { child, url } = await startServer(peer.file, { ...settings, databaseUrl })
    close.push(() => endProcess(child))
    const { seconds } = await post<{ seconds: number }>(url, '/load', {})
    return {
      name: peer.name,
      url,
      path: '/search',
      loadSeconds: seconds,
      requestOf: (question) => ({ body: JSON.stringify(question), headers: HEADERS }),
      tune: (tuning) => post(url, '/tune', tuning),
      cpuSeconds: () => cpuSeconds(child.pid!) + (figures?.cpuSeconds() ?? 0),
      memoryMb: () => memoryMb(child.pid!).now + (figures?.memoryMb() ?? 0),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startServer(file: string, settings: PeerSettings): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL(`engines/${file}.ts`, import.meta.url))
  const args = [`--max-old-space-size=${HEAP_MB}`, program, JSON.stringify(settings)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  return { url: await readyLine(child, /ready at (\S+)/), child }
}

/** Posts a body, without a time limit for the answer, because loading takes a while. */
async function post<T>(url: string, path: string, body: object): Promise<T> {
  const dispatcher = new Agent({ headersTimeout: HOURS_MS, bodyTimeout: HOURS_MS })
  try {
    const answer = await request(url + path, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(body),
      dispatcher,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return JSON.parse(text) as T
  } finally {
    await dispatcher.close()
  }
}
