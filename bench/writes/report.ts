import { type MachineFacts, machineText } from '../support/machine.ts'
import { type Requirement, requirementsText, unmeasuredText } from '../support/requirements.ts'
import { fixed, grouped, table } from '../support/table.ts'
import { CREATED, type CreateFigures } from './creates.ts'
import type { FoundFigures } from './found.ts'
import { IDLE_TENANTS, type IdleFigures } from './idle.ts'

/** A state of the program that is measured. */
export interface Version {
  readonly name: string
  readonly folder: string
}

/** A database to measure on; without an address SQLite. */
export interface Place {
  readonly name: string
  readonly databaseUrl: string | null
}

/** Returns the settings of a service on a database. */
export function settingsOf({ databaseUrl }: Place): Record<string, string> {
  return databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }
}

export interface WritesReport {
  readonly machine: MachineFacts
  readonly rounds: number
  readonly creates: readonly CreateFigures[]
  readonly found: readonly FoundFigures[]
  readonly idle: readonly IdleFigures[]
  readonly requirements: readonly Requirement[]
}

/** Milliseconds after which a search by meaning must find a write. */
const FOUND_WITHIN_MS = 50

/**
 * Judges the figures of one version.
 * @param version name of the version among those that were measured
 */
export function judgeWrites(waits: readonly FoundFigures[], version: string): Requirement[] {
  return waits
    .filter((row) => row.version === version)
    .map(({ place, isWoken, p99 }) => ({
      what: `${place}, ${wokenText(isWoken)}: found by meaning within ${FOUND_WITHIN_MS} ms, 99 of 100`,
      measured: `${fixed(p99, 1)} ms`,
      met: p99 <= FOUND_WITHIN_MS,
    }))
}

/** Returns the subjects that have no figures. */
export function unmeasuredOfWrites({ creates }: Pick<WritesReport, 'creates'>): string[] {
  const measured = new Set(creates.map(({ created = 'entries' }) => created))
  return CREATED.filter((each) => !measured.has(each)).map((each) => `creates of ${each}`)
}

export function writesHeadline({ creates, found }: WritesReport): string {
  const ofEntries = creates.filter(({ created = 'entries' }) => created === 'entries')
  const [most] = ofEntries.sort((a, b) => b.connections - a.connections)
  const [first] = found
  return [
    ...(most === undefined
      ? []
      : [`${grouped(most.figures.perSecond)} creates a second on ${most.connections} connections`]),
    ...(first === undefined ? [] : [`99 of 100 found within ${fixed(first.p99, 1)} ms (${first.place})`]),
  ].join(', ')
}

/** Returns the report as Markdown. */
export function writesText({ machine, rounds, creates, found, idle, requirements }: WritesReport): string {
  const parts = [
    '## Writes',
    '`npm run bench:writes` measures the real service over HTTP: how many entries and products it creates in a second, when a search by meaning finds what was written, and what an idle service takes.',
  ]
  if (creates.length > 0) {
    const cells = creates.map(({ version, created = 'entries', connections, figures, least, most }) => [
      version,
      created,
      connections,
      Math.round(figures.perSecond),
      `${grouped(least)} to ${grouped(most)}`,
      fixed(figures.p50Ms, 2),
      fixed(figures.p99Ms, 2),
      fixed(figures.cpuPer1000, 3),
    ])
    const head = [
      'version',
      'of',
      'connections',
      'creates a second',
      'in all rounds',
      'p50 ms',
      'p99 ms',
      'CPU s per 1,000',
    ]
    parts.push(
      `**Creates** are single ones (\`POST /api/knowledge/knowledge-entries\`) of about 40 words with a category and three tags, or products with a description of as many (\`POST /api/knowledge/products\`), on SQLite with the built-in model. Each is on the disk when it is answered. Figures are medians of ${rounds} rounds, each with an empty database.`,
      table(head, cells),
      ...unmeasuredText(unmeasuredOfWrites({ creates })),
    )
  }
  if (found.length > 0) {
    const cells = found.map(({ version, place, isWoken, count, p50, p95, p99, max }) => [
      version,
      place,
      wokenText(isWoken),
      count,
      ...[p50, p95, p99, max].map((ms) => fixed(ms, 1)),
    ])
    parts.push(
      '**Found** is the time from the answer of a write until a search by meaning finds the entry, with an embedding provider over HTTP that answers at once. Another process then writes to the same database, which wakes nobody: such entries the queue has to notice by itself.',
      table(['version', 'database', 'written by', 'writes', 'p50 ms', 'p95 ms', 'p99 ms', 'largest ms'], cells),
    )
  }
  if (idle.length > 0) {
    const cells = idle.map(({ version, place, service, database }) => [
      version,
      place,
      fixed(service, 2),
      database === null ? '' : fixed(database, 2),
    ])
    parts.push(
      `**Idle** is a service with ${IDLE_TENANTS} tenants and an embedding provider of which nobody asks anything.`,
      table(['version', 'database', 'CPU s a minute', 'of the database'], cells),
    )
  }
  return [...parts, requirementsText(requirements), machineText(machine)].join('\n\n')
}

function wokenText(isWoken: boolean): string {
  return isWoken ? 'the service' : 'another process'
}
