/** Generates load in its own process: takes jobs from its parent and reports figures. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'
import { distribution } from './support/distribution.ts'
import { Exchange } from './support/exchange.ts'
import type { ClosedJob, FromLoad, PacedJob, ToLoad } from './support/load.ts'

const phases = { name: '', latencies: new Map<string, number[]>() }
let paced: { stopped: boolean } | null = null

process.on('message', (message: ToLoad) => {
  if (message.kind === 'closed') void runClosed(message)
  else if (message.kind === 'paced') void runPaced(message)
  else if (message.kind === 'phase') phases.name = message.name
  else if (paced !== null) paced.stopped = true
})

function tell(message: FromLoad): void {
  process.send!(message)
}

/**
 * Runs a job whose connections each send the next request when the last was answered, for a fixed time or at most
 * `countMax` times.
 */
async function runClosed(job: ClosedJob): Promise<void> {
  const latencies: number[] = []
  let failures = 0
  let sent = 0
  let isMeasured = false
  const run = { stopped: false }
  const connection = async (): Promise<void> => {
    const client = new Client(job.url)
    while (!run.stopped && sent < job.countMax) {
      const request = requestOf(job, sent++)
      const began = performance.now()
      const status = await Exchange.run(client, request)
      if (!isMeasured) continue
      latencies.push(performance.now() - began)
      if (status !== (job.status ?? 200)) failures++
    }
    await client.destroy()
  }
  const connections = Array.from({ length: job.connections }, connection)
  await sleep(job.warmUpMs)
  isMeasured = true
  const began = performance.now()
  tell({ kind: 'began' })
  await Promise.race([sleep(job.measureMs), Promise.all(connections)])
  const seconds = (performance.now() - began) / 1_000
  isMeasured = false
  tell({ kind: 'ended', seconds, failures, latencies: distribution(latencies) })
  run.stopped = true
  await Promise.all(connections)
  tell({ kind: 'idle' })
}

/** Returns the n-th request of a job. */
function requestOf(job: ClosedJob, n: number): Dispatcher.DispatchOptions {
  const { path, paths, headersInTurns, bodies } = job
  const headers = headersInTurns?.[n % headersInTurns.length] ?? job.headers
  if (paths !== undefined) return { method: 'GET', path: paths[n % paths.length], headers, body: null }
  return { method: 'POST', path, headers, body: bodies[n % bodies.length] }
}

/**
 * Sends requests at fixed times, even while earlier ones have no answer. A time counts from when the request was due.
 */
async function runPaced(job: PacedJob): Promise<void> {
  const current = { stopped: false }
  paced = current
  phases.latencies.clear()
  const clients = Array.from({ length: job.connections }, () => new Client(job.url))
  const running = new Set<Promise<void>>()
  let failures = 0
  const read = async (client: Client, due: number, path: string): Promise<void> => {
    const phase = phases.name
    const status = await Exchange.run(client, { method: 'GET', path, headers: job.headers, body: null })
    if (status !== 200) failures++
    const latencies = phases.latencies.get(phase) ?? []
    if (latencies.push(performance.now() - due) === 1) phases.latencies.set(phase, latencies)
  }
  const began = performance.now()
  for (let i = 0; !current.stopped; i++) {
    const due = began + i * job.everyMs
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const one = read(clients[i % clients.length], due, job.paths[i % job.paths.length])
    running.add(one)
    void one.finally(() => running.delete(one))
  }
  await Promise.all(running)
  for (const client of clients) await client.destroy()
  const figures = [...phases.latencies].map(([name, latencies]) => ({ name, ...distribution(latencies) }))
  tell({ kind: 'paced', failures, phases: figures, all: distribution([...phases.latencies.values()].flat()) })
}
