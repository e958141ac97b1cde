/**
 * Runs the neighbour in its own process: searches, reads and writes at fixed times, even while earlier requests have no
 * answer. A time counts from when the request was due, so slow answers do not hide the wait of later requests.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { distribution } from '../support/distribution.ts'
import { Exchange } from '../support/exchange.ts'
import { type Kind, KINDS, type NeighbourFigures, type ToNeighbour } from './neighbour.ts'

interface Phase {
  readonly latencies: Record<Kind, number[]>
  lost: number
  readonly running: Set<Promise<void>>
}

const PATIENCE_MS = 30_000
const CONNECTIONS_MAX = 256
/** Number of entries that are written, so few that each has several versions at the end. */
const WRITTEN = 200

let phase = newPhase()

process.on('message', (message: ToNeighbour) => {
  if (message.kind === 'start') void run(message)
  else if (message.kind === 'phase') phase = newPhase()
  else void report()
})

function newPhase(): Phase {
  return { latencies: { search: [], read: [], write: [] }, lost: 0, running: new Set() }
}

async function report(): Promise<void> {
  const ended = phase
  // Requests from here on belong to no report.
  phase = newPhase()
  await Promise.all(ended.running)
  const { search, read, write } = ended.latencies
  const { p50, p99, max } = distribution([...search, ...read, ...write])
  const p99Of = { search: distribution(search).p99, read: distribution(read).p99, write: distribution(write).p99 }
  const figures: NeighbourFigures = { p50, p99, max, p99Of, lost: ended.lost }
  process.send!(figures)
}

async function run({ url, key, ids, queries, everyMs }: ToNeighbour & { kind: 'start' }): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const pool = new Pool(url, {
    connections: CONNECTIONS_MAX,
    localAddress: '127.0.0.3',
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  })
  const entries = '/api/knowledge/knowledge-entries'
  const requestOf = (kind: Kind, n: number) => {
    if (kind === 'read') return { method: 'GET' as const, path: `${entries}/${ids[n % ids.length]}`, body: null }
    if (kind === 'write') {
      const body = JSON.stringify({ summary: `Change ${n}` })
      return { method: 'PATCH' as const, path: `${entries}/${ids[n % WRITTEN]}`, body }
    }
    const body = JSON.stringify({ query: queries[n % queries.length], mode: 'hybrid', limit: 10 })
    return { method: 'POST' as const, path: `${entries}/search`, body }
  }
  const send = async (kind: Kind, n: number, due: number, into: Phase): Promise<void> => {
    const status = await Exchange.run(pool, { ...requestOf(kind, n), headers }).catch(() => null)
    into.latencies[kind].push(performance.now() - due)
    if (status === null || status < 200 || status > 299) into.lost++
  }
  const began = performance.now()
  const gapMs = everyMs / KINDS.length
  for (let i = 0; ; i++) {
    const due = began + i * gapMs
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const current = phase
    const one = send(KINDS[i % KINDS.length], Math.floor(i / KINDS.length), due, current)
    current.running.add(one)
    void one.finally(() => current.running.delete(one))
  }
}
