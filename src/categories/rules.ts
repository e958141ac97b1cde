import type { Caller } from '../access/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database, Tx } from '../database/database.ts'
import type { CategoryRow } from '../database/tables.ts'
import { advanceWatermark } from '../database/watermark.ts'
import { conflict, invalid, notFound, referenceNotFound } from '../faults.ts'
import { newId } from '../ids.ts'
import type { Category, CategoryCreate, CategoryUpdate } from './contract.ts'
import * as store from './store.ts'

export class CategoryRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async create(caller: Caller, input: CategoryCreate): Promise<Category> {
    return this.#write(caller, async (tx) => {
      const parentId = input.parent_id ?? null
      await requireParent(tx, caller.tenant.id, parentId, null)
      const now = Date.now()
      const row: CategoryRow = {
        tenant_id: caller.tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? null,
        parent_id: parentId,
        sort_order: input.sort_order ?? 0,
        created_at: now,
        updated_at: now,
      }
      await store.insertCategory(tx, row)
      await audit(tx, caller, 'create', row.id)
      return categoryOf(row)
    })
  }

  async read(caller: Caller, id: string): Promise<Category> {
    return categoryOf(await requireCategory(this.#database.queries, caller.tenant.id, id))
  }

  async list(caller: Caller, parentId: string | null): Promise<Category[]> {
    return (await store.listCategories(this.#database.queries, caller.tenant.id, parentId)).map(categoryOf)
  }

  /** The ids a search restricted to the category's subtree means; none when there is no such category. */
  async subtree(caller: Caller, id: string): Promise<string[]> {
    return store.subtreeIds(this.#database.queries, caller.tenant.id, id)
  }

  async update(caller: Caller, id: string, patch: CategoryUpdate): Promise<Category> {
    return this.#write(caller, async (tx) => {
      const before = await requireCategory(tx, caller.tenant.id, id)
      const after: CategoryRow = {
        ...before,
        name: patch.name ?? before.name,
        description: patch.description === undefined ? before.description : patch.description,
        parent_id: patch.parent_id === undefined ? before.parent_id : patch.parent_id,
        sort_order: patch.sort_order ?? before.sort_order,
        updated_at: Math.max(Date.now(), before.updated_at),
      }
      if (isSame(before, after)) return categoryOf(before)
      await requireParent(tx, caller.tenant.id, after.parent_id, id)
      await store.replaceCategory(tx, after)
      await audit(tx, caller, 'update', id)
      return categoryOf(after)
    })
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.#write(caller, async (tx) => {
      await requireCategory(tx, caller.tenant.id, id)
      const children = await store.listCategories(tx, caller.tenant.id, id)
      if (children.length > 0) throw conflict(['path', 'category_id'], 'The category still has child categories')
      if (await store.hasEntries(tx, caller.tenant.id, id))
        throw conflict(['path', 'category_id'], 'The category still has entries')
      await store.deleteCategory(tx, caller.tenant.id, id)
      await audit(tx, caller, 'delete', id)
    })
  }

  /** Takes the tenant's write lock first: two moves at once could otherwise make a circle of parents. */
  #write<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.write(async (tx) => {
      await advanceWatermark(tx, caller.tenant.id)
      return work(tx)
    }, caller.tenant.id)
  }
}

function isSame(one: CategoryRow, other: CategoryRow): boolean {
  return (
    one.name === other.name &&
    one.description === other.description &&
    one.parent_id === other.parent_id &&
    one.sort_order === other.sort_order
  )
}

async function requireCategory(db: Database['queries'], tenantId: string, id: string): Promise<CategoryRow> {
  const row = await store.findCategory(db, tenantId, id)
  if (row === null) throw notFound(['path', 'category_id'], 'Category')
  return row
}

/** @param id the category that gets the parent; null for a new one */
async function requireParent(tx: Tx, tenantId: string, parentId: string | null, id: string | null): Promise<void> {
  if (parentId === null) return
  if ((await store.findCategory(tx, tenantId, parentId)) === null)
    throw referenceNotFound(['body', 'parent_id'], 'Parent category')
  if (id === null || !(await store.subtreeIds(tx, tenantId, id)).includes(parentId)) return
  throw invalid(['body', 'parent_id'], 'value_error', 'A category cannot be below itself')
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
