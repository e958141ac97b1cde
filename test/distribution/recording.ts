// Loaded before each test file and each thread by scripts/test.ts, where there is a PostgreSQL. Notes every statement
// that the product builds for PostgreSQL, with the function it comes from and a test that ran it, and every transaction
// in which the product names two tenants. `judge-recorded.ts` reads the notes once all tests are through.
import { appendFileSync, constants } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isMainThread, threadId } from 'node:worker_threads'
import { type CompiledQuery, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Note } from './notes.ts'
import { tenantPlaces } from './tenant-places.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FRAME = /^\s*at (?:(?:async )?(?:Module\.)?(\S+).* \()?file:\/\/([^)]+?):\d+:\d+\)?$/
/** Number of stack frames between a store and the compiler of Kysely, with room for stores that call each other. */
const FRAMES = 30

const file = join(process.env.RECORDED_STATEMENTS!, `${process.pid}-${threadId}.jsonl`)
/**
 * Flags of the file of notes. Other users may write into the folder, too, so a link in it is not followed; Windows has
 * no flag for that.
 */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
/** Statements by their text, and how often each was built. */
const seen = new Map<string, { sql: string; origin: string | null; times: number; isRun: boolean }>()
const noted = new Set<string>()
let currentTest = ''

if (isMainThread) {
  beforeEach((context) => {
    currentTest = (context as { readonly fullName: string }).fullName
  })
}

/** Kysely builds a statement in the call of the store that runs it, so the stack names the store. */
const { compileQuery } = PostgresQueryCompiler.prototype
PostgresQueryCompiler.prototype.compileQuery = function compileAndNote(...rest): CompiledQuery {
  const compiled = compileQuery.apply(this, rest)
  see(compiled.sql)
  return compiled
}

type Query = (this: pg.Client, statement: unknown, values?: readonly unknown[], ...rest: unknown[]) => unknown
const clients = pg.Client.prototype as unknown as { query: Query }
const { query } = clients
clients.query = function runAndNote(statement, values, ...rest) {
  if (typeof statement === 'string') run(this, statement, values ?? [])
  else if (isNamed(statement)) run(this, statement.text, statement.values ?? [])
  return query.call(this, statement, values, ...rest)
}

function isNamed(statement: unknown): statement is { text: string; values?: readonly unknown[] } {
  return typeof (statement as { text?: unknown }).text === 'string'
}

/**
 * Counts a statement and notes its origin. Several functions may build the same text, and reading the stack is costly:
 * so it is read at the first, second, fourth, eighth … time.
 */
function see(sql: string): void {
  const before = seen.get(sql)
  if (before === undefined) {
    const origin = originOf()
    seen.set(sql, { sql, origin, times: 1, isRun: false })
    return
  }
  before.times++
  if (!Number.isInteger(Math.log2(before.times))) return
  const origin = originOf()
  if (origin === before.origin || origin === null) return
  // Until now only tests had built the statement.
  before.origin ??= origin
  note({ kind: 'statement', sql, origin, test: currentTest, same: null })
}

/**
 * Returns the function of the product that builds a statement: the store rather than helpers that stores share; null
 * where a test builds it.
 */
function originOf(): string | null {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const frames = new Error('only for its stack').stack!.split('\n')
  Error.stackTraceLimit = limit
  let shared: string | null = null
  let unnamed: string | null = null
  for (const frame of frames) {
    const [, name, path] = FRAME.exec(frame) ?? []
    if (path === undefined || !path.startsWith(ROOT) || path === import.meta.filename) continue
    const place = relative(ROOT, path)
    if (place.includes('node_modules/')) continue
    if (!place.startsWith('src/') || place.endsWith('.test.ts')) return unnamed
    if (unnamed !== null && !unnamed.startsWith(place)) return unnamed
    const isNamed = name !== undefined && name !== '<anonymous>'
    const origin: string = isNamed ? `${place} ${name}` : place
    if (place.startsWith('src/platform/database/')) shared ??= origin
    else if (isNamed) return origin
    else unnamed = origin
  }
  return unnamed ?? shared
}

interface FirstTenant {
  readonly tenant: string
  readonly sql: string
  readonly origin: string
}
/** The first tenant of each open transaction; null before it names one. */
const open = new WeakMap<pg.Client, { first: FirstTenant | null }>()

function run(client: pg.Client, sql: string, values: readonly unknown[]): void {
  if (/^(?:begin|start transaction)\b/i.test(sql)) {
    open.set(client, { first: null })
    return
  }
  if (/^(?:commit|rollback)\b(?! to)/i.test(sql)) {
    open.delete(client)
    return
  }
  const sighting = seen.get(sql)
  const origin = sighting?.origin ?? null
  if (origin === null) return
  if (!sighting!.isRun) {
    sighting!.isRun = true
    note({ kind: 'statement', sql, origin, test: currentTest, same: firstEquals(values) })
  }
  const transaction = open.get(client) ?? { first: null }
  for (const place of tenantPlaces(sql)) {
    const tenant = values[place]
    if (typeof tenant !== 'string') continue
    transaction.first ??= { tenant, sql, origin }
    if (tenant === transaction.first.tenant) continue
    const { first } = transaction
    note({ kind: 'tenants', origins: [first.origin, origin], sql: [first.sql, sql], test: currentTest })
    return
  }
}

/**
 * Returns for each value the index of the first one that equals it, which tells the parameters that are the same
 * tenant.
 */
function firstEquals(values: readonly unknown[]): number[] {
  const places = new Map<unknown, number>()
  return values.map((value, place) => {
    if (!places.has(value)) places.set(value, place)
    return places.get(value)!
  })
}

function note(each: Note): void {
  const key = each.kind === 'statement' ? `${each.origin} ${each.sql} ${each.same === null}` : each.origins.join(' ')
  if (noted.has(key)) return
  noted.add(key)
  // Written at once: a thread that is terminated gets no chance to write at its end.
  appendFileSync(file, `${JSON.stringify(each)}\n`, { flag: APPEND as unknown as string })
}
