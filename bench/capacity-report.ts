import { type MachineFacts, machineText } from './support/machine.ts'
import { type Line, lineThrough } from './support/line.ts'
import { fixed, grouped, table } from './support/table.ts'

/** Processor time of one call, in milliseconds. */
interface Cpu {
  readonly serviceMs: number
  readonly postgresMs: number
}

interface TableBytes {
  readonly name: string
  readonly bytes: number
}

/** Bytes of the tables that are worth a row, and of all other tables together. */
interface Tables {
  readonly large: readonly TableBytes[]
  readonly otherBytes: number
}

/** Figures of one tenant with a number of entries. */
export interface EntriesFigures {
  readonly size: number
  readonly tables: Tables
  /** Processor time of each entry, with its vectors. */
  readonly bulkCpu: Cpu
  readonly writeCpu: Cpu
  readonly searchCpu: Cpu
  readonly buildSeconds: number
  /** Bytes of the index by the engine's figures, once the index lies on disk too. */
  readonly indexBytes: number
  /** Growth of the service's memory until then, without mapped files. */
  readonly memoryMb: number
}

/** Figures of a number of tenants, with a few entries each. */
export interface TenantsFigures {
  readonly size: number
  /** Bytes of the tenants themselves in the database, before they have entries. */
  readonly bytes: number
  readonly makeCpu: Cpu
  readonly searchCpu: Cpu
  readonly indexBytes: number
  readonly memoryMb: number
}

export interface CapacityReport {
  readonly machine: MachineFacts
  readonly entries: readonly EntriesFigures[]
  readonly tenants: readonly TenantsFigures[]
  readonly entriesOfATenant: number
}

const MB = 2 ** 20
const GB = 2 ** 30
/** Bytes of the one memory in which all vectors of a process lie. */
const VECTORS_MAX_BYTES = 4 * GB
/** Bytes that one tenant may use by default: half of the default of `SEARCH_MEMORY_MB`. */
const TENANT_DEFAULT_BYTES = GB
/** Share of the database below which tables are summed up in one row. */
const SMALL = 0.005
const ENTRIES_BEYOND = [100_000, 500_000, 1_000_000, 5_000_000]
const ENTRIES_OF_EACH = 1_000
const TENANTS_BEYOND = [100, 1_000, 10_000, 100_000]

/** Sums up the tables that are not worth a row. */
export function tablesOf(tables: readonly TableBytes[]): Tables {
  const bytesIn = (some: readonly TableBytes[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0)
  const large = tables.filter(({ bytes }) => bytes > bytesIn(tables) * SMALL)
  return { large, otherBytes: bytesIn(tables) - bytesIn(large) }
}

/** Returns the text of docs/capacity.md. */
export function capacityText({ machine, entries, tenants, entriesOfATenant }: CapacityReport): string {
  const lines = linesOf(entries, tenants)
  return [
    '# Capacity',
    'What an installation takes, up to 100 million entries and 100,000 tenants. `npm run bench:capacity -- --write` measures three sizes of each on PostgreSQL and writes this page. **Measured** is what stands under that heading alone; everything under **Extrapolated** lies on the straight lines through the measured points and was never run. Entries have about 120 words, and vectors of the built-in model.',
    '## Measured',
    '### Entries of one tenant',
    'Processor time in milliseconds, of the service and of PostgreSQL. “Bulk” is an entry in a bulk of 500, with its vectors; “write” is an entry by itself; “search” is a hybrid search, one after the other.',
    table(
      [
        'entries',
        'database MB',
        'index MB',
        'memory MB',
        'index built in s',
        'search',
        'search PG',
        'bulk',
        'bulk PG',
        'write',
        'write PG',
      ],
      entries.map((each) => [
        grouped(each.size),
        fixed(bytesOf(each) / MB, 1),
        fixed(each.indexBytes / MB, 1),
        fixed(each.memoryMb, 0),
        fixed(each.buildSeconds, 1),
        ...cpuCells(each.searchCpu),
        ...cpuCells(each.bulkCpu),
        ...cpuCells(each.writeCpu),
      ]),
    ),
    '“Index” is what the engine says that the index takes once it lies on disk, too; “memory” is by how much the process grew until then, without mapped files.',
    `### Tables\n\nBytes by entry at ${grouped(entries.at(-1)!.size)} entries, with indexes:`,
    tablesText(entries.at(-1)!),
    '### Tenants',
    `Tenants as an operator makes them, with a key and settings; the memory is that of their indexes of ${entriesOfATenant} entries, once each was searched.`,
    table(
      [
        'tenants',
        'database MB before entries',
        'index MB',
        'memory MB',
        'making one',
        'making PG',
        'search',
        'search PG',
      ],
      tenants.map((each) => [
        grouped(each.size),
        fixed(each.bytes / MB, 1),
        fixed(each.indexBytes / MB, 1),
        fixed(each.memoryMb, 0),
        ...cpuCells(each.makeCpu),
        ...cpuCells(each.searchCpu),
      ]),
    ),
    machineText(machine),
    '## Extrapolated',
    '### The lines',
    'Each figure as a fixed part and a part for each entry or tenant (least squares). The last column says how far the furthest measured point lies from its line, in percent of the largest point: the larger, the less the line is worth.',
    table(
      ['figure', 'fixed', 'for each', 'off by'],
      lines.map(({ name, line, unit }) => [
        name,
        withUnit(line.fixed, unit),
        withUnit(line.each, unit),
        `${fixed(line.offPercent, 0)} %`,
      ]),
    ),
    '### One larger tenant',
    table(
      [
        'entries',
        'database GB',
        'index GB',
        'index built in s',
        'processor ms of a search',
        'fits by default',
        'fits with `SEARCH_MEMORY_PER_TENANT_MB=4096`',
      ],
      ENTRIES_BEYOND.map((size) => {
        const bytes = lines[1].line.at(size)
        return [
          grouped(size),
          fixed(lines[0].line.at(size) / GB, 1),
          fixed(bytes / GB, 2),
          fixed(lines[2].line.at(size), 0),
          lines[3].line.each > 0 ? fixed(lines[3].line.at(size), 1) : 'not known',
          bytes <= TENANT_DEFAULT_BYTES ? 'yes' : 'no',
          bytes <= VECTORS_MAX_BYTES ? 'yes' : 'no: pgvector',
        ]
      }),
    ),
    'The index of a tenant lies in one process, which needs `SEARCH_MEMORY_MB=4096` for the last column; by default a tenant may have 1,024 MB. What a search in a much larger index costs was measured in the engine alone, [with a million documents](how-it-works/engine.md#measured): it costs more than the line says. While memory is short, original vectors move to files and [more entries fit](operations/grow.md#memory). An index that does not fit is searched [by pgvector](operations/grow.md#search-by-pgvector) if the operator sets that, and else refused with 507 ([Memory](operations/grow.md#memory)). The seconds are those of a clock, so they grow with what else the machine does. Where the measured searches cost no more with more entries, nothing is extrapolated.',
    `### Many tenants of ${grouped(ENTRIES_OF_EACH)} entries`,
    table(
      [
        'entries',
        'tenants',
        'database GB',
        'memory GB of all indexes',
        'processes that hold them all',
        'processor hours to write them in bulk',
      ],
      TENANTS_BEYOND.map((count) => installation(count, lines, entries)),
    ),
    'The memory is what the index of one tenant of that size takes, times their number; 1,000 of them were [measured together](benchmarks/memory.md#many-tenants-at-random). Few installations hold the indexes of all tenants: those that were not searched for longest make room, and come back with the next search. A process is counted for each 4 GB of indexes. Where the database no longer fits one PostgreSQL, [Distribute by tenant with Citus](guides/citus.md) says what is known; tenants that pgvector searches cannot be there. Elsewhere the bounds are those of [Operate the service](operations.md).',
  ].join('\n\n')
}

interface Fitted {
  readonly name: string
  readonly line: Line
  readonly unit: 'bytes' | 's' | 'ms'
}

function linesOf(entries: readonly EntriesFigures[], tenants: readonly TenantsFigures[]): Fitted[] {
  const ofEntries = (figure: (each: EntriesFigures) => number): Line =>
    lineThrough(entries.map((each) => [each.size, figure(each)]))
  const ofTenants = (figure: (each: TenantsFigures) => number): Line =>
    lineThrough(tenants.map((each) => [each.size, figure(each)]))
  return [
    { name: 'database, by entries', line: ofEntries(bytesOf), unit: 'bytes' },
    { name: 'index, by entries', line: ofEntries((each) => each.indexBytes), unit: 'bytes' },
    { name: 'building the index, by entries', line: ofEntries((each) => each.buildSeconds), unit: 's' },
    {
      name: 'a search, service and PostgreSQL, by entries',
      line: ofEntries((each) => sumOf(each.searchCpu)),
      unit: 'ms',
    },
    { name: 'database, by tenants', line: ofTenants((each) => each.bytes), unit: 'bytes' },
    { name: 'indexes of small tenants, by tenants', line: ofTenants((each) => each.indexBytes), unit: 'bytes' },
    {
      name: 'a search, service and PostgreSQL, by tenants',
      line: ofTenants((each) => sumOf(each.searchCpu)),
      unit: 'ms',
    },
  ]
}

function installation(count: number, lines: readonly Fitted[], entries: readonly EntriesFigures[]): string[] {
  const size = count * ENTRIES_OF_EACH
  // What one such tenant takes was measured, if that was among the sizes.
  const measured = entries.find((each) => each.size === ENTRIES_OF_EACH)?.indexBytes
  const index = count * (measured ?? lines[1].line.at(ENTRIES_OF_EACH))
  const database = size * lines[0].line.each + count * lines[4].line.each
  const bulkMs = sumOf(entries.at(-1)!.bulkCpu) * size
  return [
    grouped(size),
    grouped(count),
    fixed(database / GB, 1),
    fixed(index / GB, 1),
    grouped(Math.ceil(index / VECTORS_MAX_BYTES)),
    fixed(bulkMs / 3_600_000, 1),
  ]
}

function tablesText(entries: EntriesFigures): string {
  const { size, tables } = entries
  const rows = tables.large.map(({ name, bytes }) => ({ name: `\`${name}\``, bytes }))
  const sums = [
    { name: 'all others', bytes: tables.otherBytes },
    { name: 'together', bytes: bytesOf(entries) },
  ]
  return table(
    ['table', 'bytes by entry'],
    [...rows, ...sums].map(({ name, bytes }) => [name, grouped(bytes / size)]),
  )
}

function bytesOf({ tables }: EntriesFigures): number {
  return tables.large.reduce((sum, { bytes }) => sum + bytes, tables.otherBytes)
}

function sumOf({ serviceMs, postgresMs }: Cpu): number {
  return serviceMs + postgresMs
}

function cpuCells({ serviceMs, postgresMs }: Cpu): string[] {
  return [fixed(serviceMs, 2), fixed(postgresMs, 2)]
}

function withUnit(value: number, unit: Fitted['unit']): string {
  if (unit === 'bytes') return Math.abs(value) >= MB ? `${fixed(value / MB, 1)} MB` : `${grouped(value)} bytes`
  return `${value.toPrecision(2)} ${unit}`
}
