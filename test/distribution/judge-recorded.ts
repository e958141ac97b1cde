import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, faultsOf } from './judge.ts'
import type { Note, StatementNote } from './notes.ts'
import { ELSEWHERE, EXCUSED, NOT_DISTRIBUTED } from './placement.ts'

/** Lists of values in a statement. Those that differ only in their length count as one text. */
const LISTS = /\$(?:, \$)+/g
const ROWS = /\(\$\)(?:, \(\$\))+/g

interface Reason {
  /** Beginning of an origin. */
  readonly start: string
  /** Kind of fault that the reason excuses; null for all kinds. */
  readonly kind: Fault['kind'] | null
}

const REASONS: readonly Reason[] = [
  ...Object.keys({ ...ELSEWHERE, ...NOT_DISTRIBUTED }).map((start) => ({ start, kind: null })),
  ...(['everywhere', 'apart', 'two tenants'] as const).flatMap((kind) =>
    Object.keys(EXCUSED[kind]).map((start) => ({ start, kind })),
  ),
]

interface Judgement {
  /** Number of different statements that were judged. */
  readonly statements: number
  /** Texts of the statements that break a rule, each of several lines. */
  readonly offences: readonly string[]
  /** Reasons that excused nothing. */
  readonly unused: readonly string[]
}

/** Judges what `recording.ts` has noted in a folder and the folders in it. */
export function judgeRecorded(folder: string): Judgement {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const notes = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Note),
  )
  const used = new Set<Reason>()
  const isExcused = (origin: string, kind: Fault['kind']): boolean => {
    const fitting = REASONS.filter((each) => each.kind === null || each.kind === kind).filter(({ start }) =>
      origin.startsWith(start),
    )
    for (const reason of fitting) used.add(reason)
    return fitting.length > 0
  }
  const statements = distinct(notes.filter((each) => each.kind === 'statement'))
  const pairs = notes.filter((each) => each.kind === 'tenants').map((each) => [each.origins.join(' '), each] as const)
  const offences = [
    ...[...statements.values()].flatMap(({ example, origins }) =>
      faultsOf(example.sql, example.same ?? []).flatMap(({ kind, text }) =>
        [...origins].flatMap(([origin, test]) =>
          isExcused(origin, kind) ? [] : [offence(text, [origin], [example.sql], test)],
        ),
      ),
    ),
    ...[...new Map(pairs).values()].flatMap(({ origins, sql, test }) =>
      origins.some((origin) => isExcused(origin, 'two tenants'))
        ? []
        : [offence('a transaction names two tenants', origins, sql, test)],
    ),
  ]
  const unused = REASONS.filter((reason) => !used.has(reason))
  return {
    statements: statements.size,
    offences,
    unused: unused.map(({ start, kind }) => `${start} (${kind ?? 'all'})`),
  }
}

interface Distinct {
  example: StatementNote
  /** Origins of the statement, each with a test. */
  readonly origins: Map<string, string>
}

function distinct(notes: readonly StatementNote[]): Map<string, Distinct> {
  const statements = new Map<string, Distinct>()
  for (const each of notes) {
    const text = each.sql.replaceAll(/\$\d+/g, '$').replaceAll(LISTS, '$').replaceAll(ROWS, '($)')
    const statement = statements.get(text)
    if (statement === undefined) statements.set(text, { example: each, origins: new Map([[each.origin, each.test]]) })
    else {
      // An example with values tells which of them are the same tenant.
      if (statement.example.same === null) statement.example = each
      if ((statement.origins.get(each.origin) ?? '') === '') statement.origins.set(each.origin, each.test)
    }
  }
  return statements
}

function offence(fault: string, origins: readonly string[], sql: readonly string[], test: string): string {
  return [
    `${fault}: ${origins.join(', then ')}`,
    ...sql.map((each) => `    ${each.length > 400 ? `${each.slice(0, 400)}…` : each}`),
    ...(test === '' ? [] : [`    in the test "${test}"`]),
  ].join('\n')
}
