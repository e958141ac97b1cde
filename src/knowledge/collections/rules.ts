import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { NamedRow } from '../../platform/database/tables.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { notFound, referenceNotFound } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { type Expected, requireExpected, requireMayExpect } from '../../platform/precondition.ts'
import type { Collection, CollectionCreate, CollectionUpdate } from './contract.ts'
import { type NamedPlace, placeOf } from './place.ts'
import * as store from './store.ts'

/** Creates, lists, changes and deletes projects or workspaces. The subclasses add what concerns members. */
export abstract class CollectionRules {
  protected readonly database: Database
  readonly #table: store.CollectionTable
  readonly #resource: 'project' | 'workspace'

  constructor(database: Database, table: store.CollectionTable, resource: 'project' | 'workspace') {
    this.database = database
    this.#table = table
    this.#resource = resource
  }

  /** Refuses the deletion, or prepares it. Runs in the transaction that deletes the collection. */
  protected abstract beforeRemove(tx: Tx, caller: Caller, id: string, seq: number): Promise<void>

  /** Adds what belongs to a new collection. Runs in the transaction that creates the collection. */
  protected afterCreate(_tx: Tx, _caller: Caller, _id: string): Promise<void> {
    return Promise.resolve()
  }

  async create(caller: Caller, input: CollectionCreate): Promise<Collection> {
    return this.write(caller, async (tx) => {
      const now = Date.now()
      const row: NamedRow = {
        tenant_id: caller.tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? null,
        created_at: now,
        updated_at: now,
      }
      await store.insertCollection(tx, this.#table, row)
      await this.afterCreate(tx, caller, row.id)
      await this.audit(tx, caller, 'create', row.id)
      return collectionOf(row)
    })
  }

  async read(caller: Caller, id: string): Promise<Collection> {
    return collectionOf(await this.require(this.database.queries, caller, id))
  }

  /** Returns a page of all projects or workspaces, by name. */
  async list(caller: Caller, page: PageOf<NamedPlace>): Promise<Page<Collection, NamedPlace>> {
    const { id: tenantId } = caller.tenant
    const read = (after: NamedPlace | null, limit: number) =>
      store.listCollections(this.database.queries, this.#table, tenantId, { after, limit })
    const { items, next } = await readPage(tenantId, page, read, placeOf)
    return { items: items.map(collectionOf), next }
  }

  /** @throws Fault not_found; precondition_failed when the collection is not as expected */
  async update(
    caller: Caller,
    id: string,
    patch: CollectionUpdate,
    expected: Expected<Collection> = null,
  ): Promise<Collection> {
    requireMayExpect(caller, expected)
    return this.write(caller, async (tx) => {
      const before = await this.require(tx, caller, id)
      this.#requireUnchanged(before, expected)
      const after: NamedRow = {
        ...before,
        name: patch.name ?? before.name,
        description: patch.description === undefined ? before.description : patch.description,
        updated_at: Math.max(Date.now(), before.updated_at),
      }
      if (after.name === before.name && after.description === before.description) return collectionOf(before)
      await store.replaceCollection(tx, this.#table, after)
      await this.audit(tx, caller, 'update', id)
      return collectionOf(after)
    })
  }

  /** @throws Fault like `update`; conflict for a workspace with entries */
  async remove(caller: Caller, id: string, expected: Expected<Collection> = null): Promise<void> {
    requireMayExpect(caller, expected)
    await this.write(caller, async (tx, seq) => {
      this.#requireUnchanged(await this.require(tx, caller, id), expected)
      await this.beforeRemove(tx, caller, id, seq)
      await store.deleteCollection(tx, this.#table, caller.tenant.id, id)
      await this.audit(tx, caller, 'delete', id)
    })
  }

  protected write<T>(caller: Caller, work: (tx: Tx, seq: number) => Promise<T>): Promise<T> {
    const { id } = caller.tenant
    return this.database.write(async (tx) => work(tx, (await advanceWatermark(tx, id)).seq), id)
  }

  protected async require(db: Queries, caller: Caller, id: string): Promise<NamedRow> {
    const row = await store.findCollection(db, this.#table, caller.tenant.id, id)
    if (row === null)
      throw notFound(['path', `${this.#resource}_id`], this.#resource === 'project' ? 'Project' : 'Workspace')
    return row
  }

  #requireUnchanged(row: NamedRow, expected: Expected<Collection>): void {
    requireExpected(collectionOf(row), expected, `The ${this.#resource} has another version`)
  }

  protected audit(tx: Tx, caller: Caller, action: 'create' | 'update' | 'delete', id: string): Promise<void> {
    return recordAudit(tx, caller.tenant.id, caller, [{ action, resourceType: this.#resource, resourceId: id }])
  }
}

/**
 * Requires the workspace that a request refers to.
 * @param place place of the reference in the request
 * @throws Fault invalid, at the place, when there is no such workspace
 */
export async function requireWorkspace(
  db: Queries,
  tenantId: string,
  id: string,
  place: readonly string[],
): Promise<void> {
  if ((await store.findCollection(db, 'workspaces', tenantId, id)) === null) throw referenceNotFound(place, 'Workspace')
}

/** Returns all projects or workspaces of a tenant, by name. */
export function everyCollection(db: Queries, table: store.CollectionTable, tenantId: string): Promise<NamedRow[]> {
  return store.listCollections(db, table, tenantId)
}

function collectionOf(row: NamedRow): Collection {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    description: row.description,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }
}
