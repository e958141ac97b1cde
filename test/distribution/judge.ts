import { type FuncCall, loadModule, type Node, parseSync } from 'libpg-query'
import { LOCAL_TABLES } from './placement.ts'
import { type NamedTable, StatementReader, textOf } from './statement-reader.ts'

/** Functions whose answer changes by itself: Citus refuses them where it runs a write on another node. */
const CHANGEABLE = new Set([
  'clock_timestamp',
  'current_setting',
  'gen_random_uuid',
  'now',
  'random',
  'statement_timestamp',
  'timeofday',
  'transaction_timestamp',
  'uuidv4',
  'uuidv7',
])
/** Functions that act on one node: numbers, locks and messages that another node knows nothing of. */
const OF_ONE_NODE =
  /^(?:nextval|currval|setval|lastval|pg_(?:try_)?advisory_\w+|pg_notify|txid_current|pg_current_\w+)$/

/** A rule that a statement breaks. */
export interface Fault {
  /**
   * Says that the statement asks every node, joins rows of several nodes, names two tenants, or does something that no
   * node can do for the others.
   */
  readonly kind: 'everywhere' | 'apart' | 'two tenants' | 'impossible'
  readonly text: string
}

await loadModule()

/**
 * Returns the reasons that keep a statement from running within the shards of one tenant, by the rules of Citus as far
 * as the text shows them; empty when there is none.
 * @param same for each parameter the first one that has the same value, so that two may be the same tenant
 */
export function faultsOf(sql: string, same: readonly number[] = []): Fault[] {
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => faultsOfStatement(stmt!, same))
}

/** Begins and ends of transactions, and settings: Citus passes them on by itself. */
const OF_SESSIONS = new Set(['TransactionStmt', 'VariableSetStmt'])

function faultsOfStatement(statement: Node, same: readonly number[]): Fault[] {
  if (OF_SESSIONS.has(Object.keys(statement)[0])) return []
  const reader = new StatementReader(same)
  reader.read(statement)
  const { terms, tables, faults } = reader
  const local = tables.filter(({ name }) => name in LOCAL_TABLES)
  const distributed = tables.filter(({ name }) => !(name in LOCAL_TABLES))
  const lost = distributed.filter(({ tenant }) => !terms.isFixed(tenant))
  const groups = Map.groupBy(distributed, ({ tenant }) => terms.rootOf(tenant))
  const apart = Array.from(groups.values(), (group) => [...new Set(group.map(({ name }) => name))].join(', '))
  return [
    ...[...faults, ...faultsOfFunctions(statement)].map((text) => ({ kind: 'impossible' as const, text })),
    ...(lost.length > 0 ? [{ kind: 'everywhere' as const, text: `${namesOf(lost)} without the tenant` }] : []),
    ...(groups.size > 1
      ? [{ kind: 'apart' as const, text: `${apart.join(' beside ')} of tenants that may differ` }]
      : []),
    ...(local.length > 0 && distributed.length > 0
      ? [{ kind: 'apart' as const, text: `${namesOf(local)} is local, ${namesOf(distributed)} not` }]
      : []),
  ]
}

function namesOf(tables: readonly NamedTable[]): string {
  return [...new Set(tables.map(({ name }) => name))].join(', ')
}

function faultsOfFunctions(statement: Node): string[] {
  const names = functionsOf(statement)
  const isWrite = !('SelectStmt' in statement)
  return names.flatMap((name) => {
    if (OF_ONE_NODE.test(name)) return [`${name}, which acts on one node`]
    return isWrite && CHANGEABLE.has(name) ? [`${name} in a write, whose answer changes`] : []
  })
}

/** Returns the names of the functions that a statement calls, and `now` for `current_timestamp` and the like. */
function functionsOf(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([kind, each]: [string, unknown]) => {
    if (kind === 'SQLValueFunction') return ['now']
    const names = kind === 'FuncCall' ? [textOf((each as FuncCall).funcname!.at(-1))] : []
    return [...names, ...functionsOf(each)]
  })
}
