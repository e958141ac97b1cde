import type {
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeVar,
  SelectStmt,
  SubLink,
  UpdateStmt,
  WithClause,
} from 'libpg-query'
import { Terms } from './terms.ts'

/** A table that a statement reads or writes, once for each time that it names it. */
export interface NamedTable {
  readonly name: string
  /** Term of the table's tenant. */
  readonly tenant: number
}

/** Columns that become visible under a name, each with its term; null for a column that has none. */
type Columns = ReadonlyMap<string, number | null>

interface Output {
  readonly name: string | null
  readonly term: number | null
}

/** Names that an expression may use. Names of the enclosing statement come after them. */
class Scope {
  readonly sources = new Map<string, Columns>()
  readonly withs = new Map<string, Columns>()
  readonly #outer: Scope | null

  constructor(outer: Scope | null) {
    this.#outer = outer
  }

  withNamed(name: string): Columns | undefined {
    return this.withs.get(name) ?? this.#outer?.withNamed(name)
  }

  column(source: string | null, column: string): number | null {
    const sources = source === null ? [...this.sources.values()] : [this.sources.get(source)]
    for (const columns of sources) if (columns?.has(column)) return columns.get(column)!
    if (source !== null && this.sources.has(source)) return null
    return this.#outer?.column(source, column) ?? null
  }
}

/** A join of which one side may be missing, and that side's terms, from `from` up to before `to`. */
interface Join {
  readonly join: JoinExpr
  readonly missing: readonly [from: number, to: number]
}

const TENANT = 'tenant_id'

/**
 * Reads from a statement which tables it names and which of their tenants it says are equal. An equality counts where
 * it holds for every row: between `and`s of a condition or a join, in `exists (select …)` and `(tenant_id, id) in
 * (select …)` among them. What another subquery says, or the condition of an outer join, holds for the tables of the
 * subquery, or of the side that may be missing, alone.
 */
export class StatementReader {
  readonly terms = new Terms()
  readonly tables: NamedTable[] = []
  /** Faults of `insert` and `update` that no table with a tenant can bear, in words. */
  readonly faults: string[] = []
  readonly #same: readonly number[]

  /**
   * Makes a reader.
   * @param same for each parameter the index of the first one with the same value
   */
  constructor(same: readonly number[]) {
    this.#same = same
  }

  read(statement: Node, outer: Scope | null = null): Output[] {
    const select = part(statement, 'SelectStmt')
    if (select !== undefined) return this.#select(select, outer)
    const insert = part(statement, 'InsertStmt')
    if (insert !== undefined) return this.#insert(insert, outer)
    const update = part(statement, 'UpdateStmt')
    if (update !== undefined) return this.#change(update, update.fromClause, outer)
    const deletion = part(statement, 'DeleteStmt')
    if (deletion !== undefined) return this.#change(deletion, deletion.usingClause, outer)
    this.faults.push(`${Object.keys(statement)[0]} is no statement of a request`)
    return []
  }

  #select(select: SelectStmt, outer: Scope | null): Output[] {
    const scope = new Scope(outer)
    this.#withs(select.withClause, scope)
    if (select.op !== undefined && select.op !== 'SETOP_NONE') {
      const [left, right] = [this.#select(select.larg!, scope), this.#select(select.rarg!, scope)]
      return left.map(({ name, term }, i) => {
        const other = right[i]?.term ?? null
        return { name, term: term !== null && other !== null && this.terms.areEqual(term, other) ? term : null }
      })
    }
    this.#from(select.fromClause, scope)
    this.#condition(select.whereClause, scope)
    const { targetList, fromClause: _from, whereClause: _where, withClause: _with, ...rest } = select
    this.#subqueriesOf(rest, scope)
    return this.#outputs(targetList, scope)
  }

  #insert(insert: InsertStmt, outer: Scope | null): Output[] {
    const scope = new Scope(outer)
    this.#withs(insert.withClause, scope)
    const place = (insert.cols ?? []).findIndex((column) => part(column, 'ResTarget')?.name === TENANT)
    const target = this.#table(insert.relation!, scope)
    const source = part(insert.selectStmt, 'SelectStmt')
    const tenants = new Set<number>()
    for (const row of source?.valuesLists ?? []) {
      const values = part(row, 'List')?.items ?? []
      const tenant = this.#term(values[place], scope)
      if (tenant !== null) tenants.add(this.terms.rootOf(tenant))
      this.#equate(target, tenant)
      if (has(values, 'SubLink')) this.faults.push('inserts the answer of a subquery')
    }
    if (tenants.size > 1) this.faults.push('rows of tenants that may differ')
    if (source !== undefined && source.valuesLists === undefined) {
      this.#equate(target, this.#select(source, scope)[place]?.term ?? null)
    }
    const conflict = insert.onConflictClause
    if (conflict?.infer?.indexElems !== undefined) {
      const names = conflict.infer.indexElems.map((each) => part(each, 'IndexElem')?.name)
      if (!names.includes(TENANT)) this.faults.push('looks for conflicts without the tenant')
    }
    scope.sources.set('excluded', new Map())
    this.#noNewTenant(conflict?.targetList)
    this.#subqueriesOf(conflict, scope)
    return this.#outputs(insert.returningClause?.exprs, scope)
  }

  #change(change: UpdateStmt | DeleteStmt, from: Node[] | undefined, outer: Scope | null): Output[] {
    const scope = new Scope(outer)
    this.#withs(change.withClause, scope)
    this.#table(change.relation!, scope)
    this.#from(from, scope)
    this.#condition(change.whereClause, scope)
    if ('targetList' in change) {
      this.#noNewTenant(change.targetList)
      this.#subqueriesOf(change.targetList, scope)
    }
    return this.#outputs(change.returningClause?.exprs, scope)
  }

  #noNewTenant(targets: Node[] | undefined): void {
    const names = (targets ?? []).map((target) => part(target, 'ResTarget')?.name)
    if (names.includes(TENANT)) this.faults.push('gives a row another tenant')
  }

  #withs(clause: WithClause | undefined, scope: Scope): void {
    for (const each of clause?.ctes ?? []) {
      const cte = part(each, 'CommonTableExpr')!
      const names = cte.aliascolnames?.map((name) => textOf(name))
      const select = part(cte.ctequery, 'SelectStmt')
      if (clause?.recursive === true && select?.larg !== undefined) {
        const first = this.#select(select.larg, scope)
        scope.withs.set(cte.ctename!, columnsOf(first, names))
        this.#sameOutputs(first, this.#select(select.rarg!, scope))
        continue
      }
      scope.withs.set(cte.ctename!, columnsOf(this.read(cte.ctequery!, scope), names))
    }
  }

  #sameOutputs(first: readonly Output[], next: readonly Output[]): void {
    for (const [i, { name, term }] of first.entries()) {
      const other = next[i]?.term ?? null
      if (term === null || other === null || this.terms.areEqual(term, other)) continue
      this.faults.push(`adds rows of another ${name}`)
    }
  }

  #from(items: readonly Node[] | undefined, scope: Scope): void {
    const joins: Join[] = []
    for (const item of items ?? []) this.#source(item, scope, joins)
    for (const { join, missing } of joins) {
      const read = (): void => this.#condition(join.quals, scope)
      if (join.jointype === 'JOIN_INNER') read()
      else this.terms.within(read, (term) => term >= missing[0] && term < missing[1])
    }
  }

  #source(item: Node, scope: Scope, joins: Join[]): void {
    const table = part(item, 'RangeVar')
    if (table !== undefined) this.#table(table, scope)
    const subselect = part(item, 'RangeSubselect')
    if (subselect !== undefined) {
      const { alias, subquery } = subselect
      const columns = columnsOf(this.read(subquery!, scope), alias?.colnames?.map(textOf))
      scope.sources.set(alias?.aliasname ?? `subselect ${scope.sources.size}`, columns)
    }
    const call = part(item, 'RangeFunction')
    if (call !== undefined) {
      this.#subqueriesOf(call.functions, scope)
      const names = (call.coldeflist ?? []).map((each) => part(each, 'ColumnDef')!.colname!)
      const columns = new Map(names.map((name) => [name, this.terms.make()]))
      scope.sources.set(call.alias?.aliasname ?? `function ${scope.sources.size}`, columns)
    }
    const join = part(item, 'JoinExpr')
    if (join !== undefined) {
      const isMissing = { left: join.jointype === 'JOIN_RIGHT', right: join.jointype === 'JOIN_LEFT' }
      const from = this.terms.count
      this.#source(join.larg!, scope, joins)
      const between = this.terms.count
      // A subquery in the place of a table may name the tables before it.
      const readRight = (): void => this.#source(join.rarg!, scope, joins)
      if (isMissing.right) this.terms.within(readRight)
      else readRight()
      const to = this.terms.count
      joins.push({ join, missing: isMissing.left ? [from, between] : isMissing.right ? [between, to] : [to, to] })
    }
  }

  /**
   * Adds a table to the scope.
   * @returns the term of its tenant; null where the name is not that of a table
   */
  #table({ schemaname, relname, alias }: RangeVar, scope: Scope): number | null {
    const name = relname!
    // Every node has a catalogue of its own.
    const columns = schemaname === 'pg_catalog' ? new Map<string, null>() : scope.withNamed(name)
    if (columns !== undefined) {
      scope.sources.set(alias?.aliasname ?? name, columns)
      return null
    }
    const tenant = this.terms.make()
    this.tables.push({ name, tenant })
    scope.sources.set(alias?.aliasname ?? name, new Map([[TENANT, tenant]]))
    return tenant
  }

  /** Notes the equalities that hold for every row that meets the condition. */
  #condition(condition: Node | undefined, scope: Scope): void {
    if (condition === undefined) return
    const both = part(condition, 'BoolExpr')
    if (both?.boolop === 'AND_EXPR') {
      for (const each of both.args!) this.#condition(each, scope)
      return
    }
    const comparison = part(condition, 'A_Expr')
    if (comparison?.kind === 'AEXPR_OP' && textOf(comparison.name!.at(-1)) === '=') {
      const [left, right] = [partsOf(comparison.lexpr!), partsOf(comparison.rexpr!)]
      for (const [i, each] of left.entries()) this.#equate(this.#term(each, scope), this.#term(right[i], scope))
    }
    const membership = part(condition, 'SubLink')
    if (membership?.subLinkType === 'ANY_SUBLINK' && membership.operName === undefined) {
      const columns = this.read(membership.subselect!, scope)
      for (const [i, each] of partsOf(membership.testexpr!).entries()) {
        this.#equate(this.#term(each, scope), columns[i]?.term ?? null)
      }
      return
    }
    if (membership?.subLinkType === 'EXISTS_SUBLINK') this.read(membership.subselect!, scope)
    else this.#subqueriesOf(condition, scope)
  }

  #equate(one: number | null, other: number | null): void {
    if (one !== null && other !== null) this.terms.equate(one, other)
  }

  #term(expression: Node | undefined, scope: Scope): number | null {
    const cast = part(expression, 'TypeCast')
    if (cast !== undefined) return this.#term(cast.arg, scope)
    const parameter = part(expression, 'ParamRef')?.number
    if (parameter !== undefined) return this.terms.valueOf(`$${this.#same[parameter - 1] ?? parameter - 1}`)
    const constant = part(expression, 'A_Const')?.sval?.sval
    if (constant !== undefined) return this.terms.valueOf(`'${constant}'`)
    const column = part(expression, 'ColumnRef')
    if (column === undefined) return null
    const names = column.fields!.map(textOf)
    return scope.column(names.length > 1 ? names.at(-2) : null, names.at(-1))
  }

  #outputs(targets: readonly Node[] | undefined, scope: Scope): Output[] {
    return (targets ?? []).flatMap((target) => {
      const { name, val } = part(target, 'ResTarget')!
      const column = part(val, 'ColumnRef')
      if (column !== undefined && 'A_Star' in column.fields!.at(-1)) {
        const of = column.fields!.length > 1 ? textOf(column.fields![0]) : null
        const sources = of === null ? [...scope.sources.values()] : [scope.sources.get(of) ?? new Map()]
        return sources.flatMap((columns) => [...columns].map(([name, term]) => ({ name, term })))
      }
      this.#subqueriesOf(val, scope)
      const last = column === undefined ? null : textOf(column.fields!.at(-1))
      return [{ name: name ?? last, term: this.#term(val, scope) }]
    })
  }

  /** Reads the subqueries within an expression or a list of them, whose conditions say nothing of the rows outside. */
  #subqueriesOf(tree: unknown, scope: Scope): void {
    if (typeof tree !== 'object' || tree === null) return
    for (const [kind, each] of Object.entries(tree)) {
      if (kind === 'SubLink') {
        const { subselect, testexpr } = each as SubLink
        this.terms.within(() => this.read(subselect!, scope))
        this.#subqueriesOf(testexpr, scope)
      } else this.#subqueriesOf(each, scope)
    }
  }
}

type KindOf<N> = N extends unknown ? keyof N : never
type Kind = KindOf<Node>
type Content<K extends Kind> = Extract<Node, Readonly<Record<K, unknown>>>[K]

/** Returns the content of a node of this kind; undefined for a node of another kind. */
function part<K extends Kind>(node: Node | undefined, kind: K): Content<K> | undefined {
  return (node as Readonly<Record<K, Content<K>>> | undefined)?.[kind]
}

/** Tells whether a tree has a node of this kind anywhere. */
function has(tree: unknown, kind: string): boolean {
  if (typeof tree !== 'object' || tree === null) return false
  return Object.entries(tree).some(([key, value]) => key === kind || has(value, kind))
}

export function textOf(node: Node): string {
  return part(node, 'String')?.sval ?? ''
}

/** Returns the parts of `(a, b)`; for any other node the node alone. */
function partsOf(node: Node): Node[] {
  return part(node, 'RowExpr')?.args ?? [node]
}

function columnsOf(outputs: readonly Output[], names: readonly string[] | undefined): Columns {
  return new Map(outputs.map(({ name, term }, i) => [names?.[i] ?? name ?? `column ${i}`, term]))
}
