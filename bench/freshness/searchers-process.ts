/** Sends searches in its own process, and reports each once its parent stops them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { randomSource } from '../support/random.ts'
import { behindOf, type FromSearchers, now, type Search, type ToSearchers } from './searches.ts'

const PATIENCE_MS = 30 * 60_000
/** Most connections of paced searches; later ones wait for a connection, which counts. */
const CONNECTIONS_MAX = 256

type Job = Exclude<ToSearchers, { kind: 'stop' }>

const searches: Search[] = []
const running = new Set<Promise<void>>()
const stopped = new AbortController()

process.on('message', (message: ToSearchers) => {
  if (message.kind === 'stop') void stop()
  else {
    if (message.kind === 'visit') visit(message)
    else void pace(message)
    tell()
  }
})

function tell(): void {
  const message: FromSearchers = { searches }
  process.send!(message)
}

async function stop(): Promise<void> {
  stopped.abort()
  await Promise.all(running)
  tell()
}

function visit(job: ToSearchers & { kind: 'visit' }): void {
  const { visitors, thinkMs } = job
  const pool = poolOf(job, visitors.length)
  for (const [visitor, bodies] of visitors.entries()) {
    const random = randomSource(visitor)
    const one = async (): Promise<void> => {
      for (let i = 0; !stopped.signal.aborted; i++) {
        await send(pool, job, bodies[i % bodies.length], now())
        await sleep(2 * thinkMs * random())
      }
    }
    running.add(one())
  }
}

async function pace(job: ToSearchers & { kind: 'pace' }): Promise<void> {
  const { bodies, everyMs } = job
  const pool = poolOf(job, CONNECTIONS_MAX)
  const began = now()
  for (let i = 0; !stopped.signal.aborted; i++) {
    const due = began + i * everyMs
    const wait = due - now()
    if (wait > 0) await sleep(wait)
    const one = send(pool, job, bodies[i % bodies.length], due)
    running.add(one)
    void one.finally(() => running.delete(one))
  }
}

async function send(pool: Pool, { path, headers }: Job, body: string, began: number): Promise<void> {
  let status = 0
  let behind: number | null = null
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body })
    status = answer.statusCode
    behind = behindOf(answer.headers['x-search-behind'])
    await answer.body.arrayBuffer()
  } catch {
    // A broken connection counts as an answer with status 0.
  }
  searches.push({ began, ms: now() - began, status, behind })
}

function poolOf({ url }: Job, connections: number): Pool {
  return new Pool(url, { connections, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
}
