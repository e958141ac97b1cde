import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { faultsOf } from '../../platform/contract/all-faults.ts'
import { idIn, isUnchecked } from '../../platform/contract/unchecked.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { conflict, type Fault, invalid, notFound, referenceNotFound } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { type Expected, requireExpected, requireMayExpect } from '../../platform/precondition.ts'
import type { Category, CategoryCreate, CategoryMove, CategoryUpdate } from './contract.ts'
import { orderBefore } from './order.ts'
import type { Level } from './order-store.ts'
import { DEPTH_MAX } from './path-names.ts'
import { type CategoryPlace, placeOf } from './place.ts'
import { type Pause, pauseOf, threadSlices } from '../../platform/threads/slices.ts'
import * as store from './store.ts'
import { ancestorIds, levelsBelow, type NamedCategory, parentsAmong, subtreeIds, withAncestors } from './tree-store.ts'

/** Categories that one statement counts. */
const STEP = 2_000

/** Categories that one statement moves. */
const MOVED_AT_ONCE = 500

/** Connection that a check reads by, and the pause between its statements. */
interface Reading {
  readonly queries: Queries
  readonly pause: Pause
}

/** Reads within a transaction, for which other writers of the tenant wait. */
const within = (tx: Tx): Reading => ({ queries: tx, pause: threadSlices.pauseHolding })

export class CategoryRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async create(caller: Caller, input: CategoryCreate): Promise<Category> {
    return this.#write(caller, async (tx) => {
      const parentId = input.parent_id ?? null
      if (parentId !== null) await this.#requireParent(within(tx), caller.tenant.id, parentId, null)
      return categoryOf(await insertCategory(tx, caller, input))
    })
  }

  /**
   * Returns the faults of a category's body that a check of its shape does not find.
   * @param id id of the category that the body changes; null for a new category
   * @param body of any shape
   */
  faultsOf(caller: Caller, id: string | null, body: unknown): Promise<Fault[]> {
    const parentId = isUnchecked(body) ? idIn(body.parent_id) : null
    if (parentId === null) return Promise.resolve([])
    const { id: tenantId } = caller.tenant
    const reading = { queries: this.#database.queries, pause: pauseOf(tenantId) }
    return faultsOf([() => this.#requireParent(reading, tenantId, parentId, id)])
  }

  async read(caller: Caller, id: string): Promise<Category> {
    return categoryOf(await requireCategory(this.#database.queries, caller.tenant.id, id))
  }

  /** Returns a page of all categories, or of the direct children of one, by sort order, then name. */
  async list(
    caller: Caller,
    parentId: string | null,
    page: PageOf<CategoryPlace>,
  ): Promise<Page<Category, CategoryPlace>> {
    const { id: tenantId } = caller.tenant
    const read = (after: CategoryPlace | null, limit: number) =>
      store.listCategories(this.#database.queries, tenantId, parentId, { after, limit })
    const { items, next } = await readPage(tenantId, page, read, placeOf)
    return { items: items.map(categoryOf), next }
  }

  /**
   * Lists one level from an offset on, and counts the categories of the whole level.
   * @param parentId category whose direct children are the level; null for the top level
   */
  async listFrom(
    caller: Caller,
    parentId: string | null,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ categories: Category[]; total: number }> {
    const { id: tenantId } = caller.tenant
    let total = 0
    let after: CategoryPlace | null = null
    /** Place after which the list begins, null for the beginning of the level; undefined until the walk reaches it. */
    let start: CategoryPlace | null | undefined = offset === 0 ? null : undefined
    for (;;) {
      // One step ends exactly at the offset, so that the walk learns its place. The steps after it only count.
      const rows = total < offset ? Math.min(STEP, offset - total) : STEP
      const { place, count } = await store.placeAfter(this.#database.queries, tenantId, parentId, after, rows)
      total += count
      if (total === offset) start = place
      if (count < rows || place === null) break
      after = place
      await threadSlices.pause(tenantId)
    }
    if (start === undefined) return { categories: [], total }
    const read = (from: CategoryPlace | null, rows: number) =>
      store.listLevel(this.#database.queries, tenantId, parentId, { after: from, limit: rows })
    const { items } = await readPage(tenantId, { limit, after: start }, read, placeOf)
    return { categories: items.map(categoryOf), total }
  }

  /** Returns the ids of those categories that have children. */
  async parentsAmong(caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return parentsAmong(this.#database.queries, caller.tenant.id, ids)
  }

  /** Returns the ids of a category and of all below it; none when there is no such category. */
  async subtree(caller: Caller, id: string): Promise<string[]> {
    return subtreeIds(this.#database, caller.tenant.id, id)
  }

  /** Returns the categories of the ids and all above them, in any order. */
  async withAncestors(caller: Caller, ids: readonly string[]): Promise<NamedCategory[]> {
    return withAncestors(this.#database.queries, caller.tenant.id, ids)
  }

  /** Returns the parent of each category by id; null at the top level. */
  async parents(caller: Caller): Promise<ReadonlyMap<string, string | null>> {
    const { id: tenantId } = caller.tenant
    const parents = new Map<string, string | null>()
    for (let after = ''; ;) {
      const rows = await store.parentsAfter(this.#database.queries, tenantId, after, STEP)
      for (const { id, parent_id: parent } of rows) parents.set(id, parent)
      if (rows.length < STEP) return parents
      after = rows[rows.length - 1].id
      await threadSlices.pause(tenantId)
    }
  }

  /**
   * Checks that a category may be merged into another. The transaction has advanced the tenant's watermark.
   * @throws Fault not_found; invalid when the other one does not exist, is the same, lies below, or lies so deep that
   *   the moved categories would have too many levels
   */
  async requireMerge(tx: Tx, caller: Caller, fromId: string, intoId: string): Promise<void> {
    const { id: tenantId } = caller.tenant
    await requireCategory(tx, tenantId, fromId)
    if ((await store.findCategory(tx, tenantId, intoId)) === null)
      throw referenceNotFound(['body', 'into_id'], 'Category')
    const line = await ancestorIds(tx, tenantId, intoId, DEPTH_MAX)
    if (line.includes(fromId))
      throw invalid(['body', 'into_id'], 'value_error', 'A category cannot be merged into itself or what is below it')
    let depth = line.length
    const tree = { queries: tx, portable: this.#database.portable }
    for await (const _level of levelsBelow(tree, tenantId, fromId, threadSlices.pauseHolding)) {
      depth += 1
      if (depth > DEPTH_MAX) break
    }
    if (depth > DEPTH_MAX)
      throw invalid(['body', 'into_id'], 'value_error', `Categories can be nested ${DEPTH_MAX} levels deep at most`)
  }

  /** Moves the children of a category that has no entries into another one, and deletes the category. */
  async finishMerge(tx: Tx, caller: Caller, fromId: string, intoId: string): Promise<void> {
    const { id: tenantId } = caller.tenant
    const move = { fromId, intoId, updatedAt: Date.now() }
    while ((await store.moveChildren(tx, tenantId, move, MOVED_AT_ONCE)) === MOVED_AT_ONCE) {
      await threadSlices.pauseHolding()
    }
    await store.deleteCategory(tx, tenantId, fromId)
    const event = { action: 'merge', resourceType: 'category', resourceId: fromId, details: { into: intoId } } as const
    await recordAudit(tx, tenantId, caller, [event])
  }

  /** @throws Fault precondition_failed when the category is not as expected; otherwise like `create`, and not_found */
  async update(
    caller: Caller,
    id: string,
    patch: CategoryUpdate,
    expected: Expected<Category> = null,
  ): Promise<Category> {
    requireMayExpect(caller, expected)
    return this.#write(caller, async (tx) => {
      const before = await requireCategory(tx, caller.tenant.id, id)
      requireUnchanged(before, expected)
      const after: CategoryRow = {
        ...before,
        name: patch.name ?? before.name,
        description: patch.description === undefined ? before.description : patch.description,
        parent_id: patch.parent_id === undefined ? before.parent_id : patch.parent_id,
        sort_order: patch.sort_order ?? before.sort_order,
        updated_at: Math.max(Date.now(), before.updated_at),
      }
      if (isSame(before, after)) return categoryOf(before)
      if (after.parent_id !== null && after.parent_id !== before.parent_id)
        await this.#requireParent(within(tx), caller.tenant.id, after.parent_id, id)
      await store.replaceCategory(tx, after)
      await audit(tx, caller, 'update', id)
      return categoryOf(after)
    })
  }

  /**
   * Moves a category with its subtree below another one, to a place among its new siblings, whose order stays.
   * @throws Fault not_found; invalid for a parent that does not exist, lies below the category, or too deep; conflict
   *   when the sibling that comes next is not below the parent any more
   */
  async move(
    caller: Caller,
    id: string,
    { parent_id: parentId, before_id: nextId = null }: CategoryMove,
  ): Promise<Category> {
    const { id: tenantId } = caller.tenant
    return this.#write(caller, async (tx) => {
      const before = await requireCategory(tx, tenantId, id)
      if (parentId !== null && parentId !== before.parent_id)
        await this.#requireParent(within(tx), tenantId, parentId, id)
      const next = nextId === null ? null : await requireSibling(tx, { tenantId, parentId, without: id }, nextId)
      const order = await orderBefore(tx, { tenantId, parentId, without: id }, next)
      const updatedAt = Math.max(Date.now(), before.updated_at)
      const after = { ...before, parent_id: parentId, sort_order: order, updated_at: updatedAt }
      await store.replaceCategory(tx, after)
      await audit(tx, caller, 'update', id)
      return categoryOf(after)
    })
  }

  /** @throws Fault not_found; precondition_failed; conflict while the category has children or entries */
  async remove(caller: Caller, id: string, expected: Expected<Category> = null): Promise<void> {
    requireMayExpect(caller, expected)
    await this.#write(caller, async (tx) => {
      requireUnchanged(await requireCategory(tx, caller.tenant.id, id), expected)
      if (await store.hasChildren(tx, caller.tenant.id, id))
        throw conflict(['path', 'category_id'], 'The category still has child categories')
      if (await store.hasEntries(tx, caller.tenant.id, id))
        throw conflict(['path', 'category_id'], 'The category still has entries')
      await store.deleteCategory(tx, caller.tenant.id, id)
      await audit(tx, caller, 'delete', id)
    })
  }

  /** @param id category that moves below the parent, with its subtree; null for a new category */
  async #requireParent(reading: Reading, tenantId: string, parentId: string, id: string | null): Promise<void> {
    const { queries, pause } = reading
    const line = await ancestorIds(queries, tenantId, parentId, DEPTH_MAX)
    if (line.length === 0) throw referenceNotFound(['body', 'parent_id'], 'Parent category')
    if (id !== null && line.includes(id))
      throw invalid(['body', 'parent_id'], 'value_error', 'A category cannot be below itself')
    let depth = line.length + 1
    if (id !== null && depth <= DEPTH_MAX) {
      const tree = { queries, portable: this.#database.portable }
      for await (const _level of levelsBelow(tree, tenantId, id, pause)) {
        depth += 1
        if (depth > DEPTH_MAX) break
      }
    }
    if (depth > DEPTH_MAX)
      throw invalid(['body', 'parent_id'], 'value_error', `Categories can be nested ${DEPTH_MAX} levels deep at most`)
  }

  /** Locks the tenant's watermark first, since two moves at once could otherwise make a circle of parents. */
  #write<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.write(async (tx) => {
      await advanceWatermark(tx, caller.tenant.id)
      return work(tx)
    }, caller.tenant.id)
  }
}

/** Stores a new category whose parent exists, and records it. The transaction has advanced the tenant's watermark. */
export async function insertCategory(tx: Tx, caller: Caller, input: CategoryCreate): Promise<CategoryRow> {
  const now = Date.now()
  const row: CategoryRow = {
    tenant_id: caller.tenant.id,
    id: newId(),
    name: input.name,
    description: input.description ?? null,
    parent_id: input.parent_id ?? null,
    sort_order: input.sort_order ?? 0,
    created_at: now,
    updated_at: now,
  }
  await store.insertCategory(tx, row)
  await audit(tx, caller, 'create', row.id)
  return row
}

function isSame(one: CategoryRow, other: CategoryRow): boolean {
  return (
    one.name === other.name &&
    one.description === other.description &&
    one.parent_id === other.parent_id &&
    one.sort_order === other.sort_order
  )
}

/** @throws Fault invalid for a sibling that does not exist or is the moved category; conflict when it is elsewhere */
async function requireSibling(tx: Tx, { tenantId, parentId, without }: Level, id: string): Promise<CategoryRow> {
  const row = await store.findCategory(tx, tenantId, id)
  if (row === null) throw referenceNotFound(['body', 'before_id'], 'Category')
  if (id === without) throw invalid(['body', 'before_id'], 'value_error', 'A category does not come before itself')
  if (row.parent_id !== parentId)
    throw conflict(['body', 'before_id'], 'The category that comes next is not below the parent any more')
  return row
}

async function requireCategory(db: Database['queries'], tenantId: string, id: string): Promise<CategoryRow> {
  const row = await store.findCategory(db, tenantId, id)
  if (row === null) throw notFound(['path', 'category_id'], 'Category')
  return row
}

function requireUnchanged(row: CategoryRow, expected: Expected<Category>): void {
  requireExpected(categoryOf(row), expected, 'The category has another version')
}

async function audit(tx: Tx, caller: Caller, action: 'create' | 'update' | 'delete', id: string): Promise<void> {
  await recordAudit(tx, caller.tenant.id, caller, [{ action, resourceType: 'category', resourceId: id }])
}

function categoryOf(row: CategoryRow): Category {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    description: row.description,
    parent_id: row.parent_id,
    sort_order: row.sort_order,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }
}
