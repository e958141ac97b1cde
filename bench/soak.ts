/**
 * Soaks the service: two processes on one PostgreSQL under mixed load, with a fault a minute, and what clients were told
 * compared with what is there at the end. `--minutes N` (60), `--share PERCENT` of the capacity that is measured first
 * (70), `--rate N` requests a second in place of that, `--entries N` (1,000), `--seed N` decides what is asked and
 * broken when (1), `--write` updates docs/benchmarks.md. Prints a line each minute; SIGINT ends it early with the report
 * of the minutes so far. Exits with 1 when an acknowledged write is lost or a request fails without a fault.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { judgeSoak, type SoakReport, soakText } from './soak-report.ts'
import { FAULTS, rotation } from './soak/faults.ts'
import { Installation } from './soak/installation.ts'
import { Clients } from './soak/kinds.ts'
import { type Comparison, Ledger } from './soak/ledger.ts'
import { Load } from './soak/load.ts'
import { SoakRecord } from './soak/record.ts'
import { machineFacts } from './support/machine.ts'
import { randomSource } from './support/random.ts'
import { grouped } from './support/table.ts'

const MINUTE_MS = 60_000
const CLIENTS = 16
const WARM_UP_MS = 15_000
const CAPACITY_MS = 30_000
/** Milliseconds after the begin of its minute at which a fault begins, at least and at most. */
const [FAULT_FROM_MS, FAULT_TO_MS] = [5_000, 20_000]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    share: { type: 'string', default: '70' },
    rate: { type: 'string' },
    entries: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const [minutes, share, entries, seed] = [values.minutes, values.share, values.entries, values.seed].map(Number)

const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-soak-'))
const ledger = new Ledger(folder)
const installation = await Installation.open()
const interrupted = new AbortController()
// PostgreSQL's package would end this process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.removeAllListeners(signal)
  process.on(signal, () => interrupted.abort())
}
try {
  const report = await soak()
  console.log(soakText(report))
  if (values.write) {
    const { saveReport, writeDocument } = await import('./support/document.ts')
    saveReport('soak', report)
    writeDocument()
  }
  if (report.requirements.some(({ met }) => !met)) process.exitCode = 1
  if (report.comparison?.wrong.length === 0) rmSync(folder, { recursive: true })
  else say(`The ledger is ${ledger.path}`)
} finally {
  ledger.close()
  await installation.close()
}

async function soak(): Promise<SoakReport> {
  const { balancer } = installation
  const clients = new Clients(installation.key, ledger, randomSource(seed), entries)
  await clients.fill((asked) => balancer.send(asked))
  const load = new Load(clients.kinds, balancer, randomSource(seed + 1))
  const capacity = await load.capacity(CLIENTS, WARM_UP_MS, CAPACITY_MS)
  const rate = values.rate === undefined ? (capacity * share) / 100 : Number(values.rate)
  say(`${capacity.toFixed(1)} requests a second are answered; ${rate.toFixed(1)} are sent`)

  const record = new SoakRecord()
  const start = installation.memoryMb()
  const running = load.keepUp(rate, record.note)
  const unmended = await breakThings(load, record)
  load.stop()
  await running
  const end = installation.memoryMb()
  const comparison = await compared(clients)
  const figures = record.figures
  return {
    machine: machineFacts(),
    seed,
    entries,
    capacity,
    rate,
    share,
    memoryMb: { start, end },
    comparison,
    requirements: judgeSoak(comparison, figures.unexpected, unmended),
    ...figures,
  }
}

/**
 * Breaks one thing a minute, and prints a line for each. The last minute has no fault, so that waiting requests are
 * answered.
 * @returns the reason why a fault could not be put right, which ends the soak; null if all could
 */
async function breakThings(load: Load, record: SoakRecord): Promise<string | null> {
  const random = randomSource(seed + 2)
  const faults = rotation(FAULTS, random)
  const beganMs = performance.now()
  let fault: Promise<void> | null = null
  let unmended: string | null = null
  for (let minute = 1; minute <= minutes && !interrupted.signal.aborted; minute++) {
    const waitMs = FAULT_FROM_MS + random() * (FAULT_TO_MS - FAULT_FROM_MS)
    await pause(beganMs + (minute - 1) * MINUTE_MS + waitMs - performance.now())
    // One that is not yet put right takes the turn of the next.
    if (fault === null && minute < minutes && !interrupted.signal.aborted) {
      const { name, run } = faults.next().value
      fault = record
        .during(name, () => run(installation, load, random))
        .catch((error: unknown) => {
          unmended = `${name}: ${inspect(error)}`
          interrupted.abort()
        })
        .finally(() => (fault = null))
    }
    await pause(beganMs + minute * MINUTE_MS - performance.now())
    const {
      count,
      p50,
      p99,
      max,
      failed,
      unexpected,
      fault: name,
      load: average,
    } = record.endMinute(installation.memoryMb())
    const times = [p50, p99, max].map(grouped).join(' / ')
    say(
      `minute ${minute} of ${minutes}: ${count} answered, p50 / p99 / max ${times} ms, ${failed} failed (${unexpected} without a fault), load ${average}${name === '' ? '' : `; ${name}`}`,
    )
  }
  await fault
  return unmended
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: interrupted.signal }).catch(() => undefined)
}

/**
 * Compares what clients were told with what is stored.
 * @returns null when the run was interrupted and no process answers any more
 */
async function compared(clients: Clients): Promise<Comparison | null> {
  try {
    return await ledger.compare((asked) => installation.balancer.send(asked), clients.headers)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    return null
  }
}

function say(what: string): void {
  process.stderr.write(`${what}\n`)
}
