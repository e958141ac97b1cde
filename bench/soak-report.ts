import type { Comparison } from './soak/ledger.ts'
import type { RecordFigures } from './soak/record.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

export interface SoakReport extends RecordFigures {
  readonly machine: MachineFacts
  readonly seed: number
  readonly entries: number
  /** Answers a second while every client sends its next request at once. */
  readonly capacity: number
  /** Requests a second of the soak. */
  readonly rate: number
  readonly share: number
  /** Resident memory of each process before the first request and after the last, without mapped files. */
  readonly memoryMb: { readonly start: readonly number[]; readonly end: readonly number[] }
  /** Null when the run was interrupted and the service was gone. */
  readonly comparison: Comparison | null
  readonly requirements: readonly Requirement[]
}

/** Returns the faults that make the command fail. */
export function judgeSoak(
  comparison: Comparison | null,
  unexpected: RecordFigures['unexpected'],
  unmended: string | null,
): Requirement[] {
  const wrong = comparison?.wrong ?? []
  const failed = Object.values(unexpected).reduce((sum, times) => sum + times, 0)
  return [
    {
      what: 'no acknowledged write lost, changed or there twice',
      measured: comparison === null ? 'not compared' : `${wrong.length} of ${grouped(comparison.acknowledged)}`,
      met: comparison !== null && wrong.length === 0,
    },
    {
      what: 'no request failed but during a fault and five seconds after it',
      measured: `${failed} did`,
      met: failed === 0,
    },
    { what: 'every process ready again after every fault', measured: unmended ?? 'yes', met: unmended === null },
  ]
}

export function soakHeadline({ comparison }: SoakReport): string {
  if (comparison === null) return 'not compared'
  return `${comparison.wrong.length} of ${grouped(comparison.acknowledged)} acknowledged writes lost or wrong`
}

/** Returns the report as Markdown. */
export function soakText(report: SoakReport): string {
  const { minutes, seed, capacity, rate, share, entries, machine, memoryMb, comparison, requirements } = report
  const loads = minutes.map(({ load }) => load)
  const texts = [
    '## Soak',
    `\`npm run bench:soak -- --minutes ${minutes.length} --seed ${seed}\` runs two processes on one PostgreSQL, both started by the command, with an embedding provider beside them and ${grouped(entries)} entries in one tenant. It first measures how many mixed requests a second the two can answer (${fixed(capacity, 0)}). Then it sends ${share} percent of that (${fixed(rate, 0)} a second) at fixed times, whether or not earlier ones are answered, so that a time counts from when the request was due. Once a minute one thing goes wrong; a full disk is that of the processes' own folders, not PostgreSQL's. A balancing client repeats what is safe: reads, what nobody has read, and what was refused with 503; it waits a minute for an answer. Load, provider, PostgreSQL and service share the machine with whatever else runs there; the load average was ${fixed(Math.min(...loads), 1)} to ${fixed(Math.max(...loads), 1)}.`,
    'By kind of request, in milliseconds; quiet ones met no fault:',
    kindsTable(report),
    'By fault: requests that were under way in it or in the five seconds after it. How long it took, at most, includes the start of processes until they were ready:',
    faultsTable(report),
    'The whole run by minute. Each bar is one p99, of 10 ms to a minute in a logarithmic scale:',
    `\`\`\`\n${minutesChart(report)}\n\`\`\``,
    memoryText(memoryMb, minutes),
    comparisonText(comparison),
    requirementsText(requirements),
    machineText(machine),
  ]
  return texts.join('\n\n')
}

function kindsTable({ kinds }: SoakReport): string {
  const rows = kinds.map(({ kind, count, failed, hungUp, p50, p99, max, quiet }) => [
    kind,
    grouped(count),
    ...[quiet.p50, quiet.p99, quiet.max, p50, p99, max].map(grouped),
    grouped(failed),
    grouped(hungUp),
  ])
  const times = ['quiet p50', 'quiet p99', 'quiet max', 'p50', 'p99', 'max']
  return table(['request', 'answered', ...times, 'failed', 'hung up'], rows)
}

function faultsTable({ faults }: SoakReport): string {
  const rows = faults.map(({ fault, times, secondsMax, requests, failed }) => [
    fault,
    grouped(times),
    fixed(secondsMax, 1),
    grouped(requests.count),
    grouped(requests.p99),
    grouped(requests.max),
    Object.entries(failed)
      .map(([what, count]) => `${count} × ${what}`)
      .join('; ') || 'none',
  ])
  return table(['fault', 'times', 'seconds', 'answered', 'p99', 'max', 'failed'], rows)
}

const BAR_MAX = 30
const [BAR_FROM_MS, BAR_TO_MS] = [10, 60_000]

function minutesChart({ minutes }: SoakReport): string {
  const lines = minutes.map(({ minute, p50, p99, max, failed, load, fault }) => {
    const share = Math.log(Math.max(BAR_FROM_MS, p99) / BAR_FROM_MS) / Math.log(BAR_TO_MS / BAR_FROM_MS)
    const bar = '█'.repeat(Math.max(1, Math.round(share * BAR_MAX))).padEnd(BAR_MAX)
    const figures = [p50, p99, max, failed].map((each) => grouped(each).padStart(7)).join('')
    return `${String(minute).padStart(6)}${fixed(load, 1).padStart(6)}${figures}  ${bar}  ${fault}`.trimEnd()
  })
  return [`minute  load    p50    p99    max failed  p99`, ...lines].join('\n')
}

function memoryText({ start, end }: SoakReport['memoryMb'], minutes: SoakReport['minutes']): string {
  const rows = start.map((mb, i) => [
    String.fromCodePoint(65 + i),
    grouped(mb),
    grouped(end[i]),
    grouped(Math.max(...minutes.map(({ memoryMb }) => memoryMb[i]))),
  ])
  const head = ['process', 'MB at the start', 'MB at the end', 'highest MB at the end of a minute']
  return `Resident memory, without mapped files that the system may reclaim:\n\n${table(head, rows)}`
}

function comparisonText(comparison: Comparison | null): string {
  if (comparison === null) return 'The run was interrupted, and what is stored was not compared.'
  const { acknowledged, present, wrong } = comparison
  const verdict =
    wrong.length === 0
      ? 'every one is as it was acknowledged'
      : `${wrong.length} are wrong: ${wrong.slice(0, 5).join('; ')}`
  return `Clients were told of ${grouped(acknowledged)} writes, which a file outside the service has. At the end ${grouped(present)} entries and products were there; ${verdict}.`
}
