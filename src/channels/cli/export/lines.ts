import { listCategories } from '../../../knowledge/categories/rules.ts'
import { listCollections } from '../../../knowledge/collections/rules.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { CategoryRow, EntryRow, EntryVersionRow, NamedRow } from '../../../platform/database/tables.ts'
import type { Entry } from '../../../knowledge/entries/contract.ts'
import { entryOf } from '../../../knowledge/entries/entry.ts'
import { entriesAfter, membershipsOf, versionsAfter } from '../../../knowledge/entries/rules.ts'
import { exportedRules, exportedVocabulary } from '../../../shop/products/merchandising/restore.ts'
import { exportedProduct } from '../../../shop/products/restore.ts'
import { productsAfter } from '../../../shop/products/rules.ts'
import { siteOf } from '../../../shop/sites/site.ts'
import { listSites } from '../../../shop/sites/rules.ts'
import { requireTenant } from '../../../identity/tenants/rules.ts'
import { listUsers } from '../../../identity/users/rules.ts'
import { listMemberships } from '../../../knowledge/workspaces/rules.ts'
import { EXPORT_FORMAT, EXPORT_KIND, type ExportedEntry, type ExportHeader, type ExportLine } from './format.ts'

/** Rows that are read at a time. */
const PAGE = 50

/**
 * The lines of a tenant's export. Two exports of the same data are identical, on either database. Only the header names
 * the tenant.
 * @throws Fault when the tenant does not exist
 */
export async function* exportLines(
  db: Queries,
  tenantId: string,
): AsyncGenerator<{ readonly line: string; readonly kind: ExportHeader['kind'] | ExportLine['kind'] }> {
  const tenant = await requireTenant(db, tenantId)
  const settings = JSON.parse(tenant.settings) as Record<string, unknown>
  const header: ExportHeader = {
    kind: EXPORT_KIND,
    format: EXPORT_FORMAT,
    tenant: { id: tenantId, name: tenant.name, settings },
  }
  yield { line: `${JSON.stringify(header)}\n`, kind: EXPORT_KIND }
  for await (const line of content(db, tenantId)) {
    yield { line: `${JSON.stringify(line)}\n`, kind: line.kind }
  }
}

async function* content(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  for (const row of byId(await listCollections(db, 'workspaces', tenantId))) {
    yield { kind: 'workspace', ...collectionOf(row) }
  }
  yield* users(db, tenantId)
  for (const row of parentsFirst(await listCategories(db, tenantId, null))) {
    const { parent_id, sort_order } = row
    yield { kind: 'category', ...collectionOf(row), parent_id, sort_order }
  }
  for (const row of byId(await listCollections(db, 'projects', tenantId))) {
    yield { kind: 'project', ...collectionOf(row) }
  }
  for (const row of byId(await listSites(db, tenantId))) {
    const { tenant_id: _tenant, ...site } = siteOf(row)
    yield { kind: 'site', ...site }
  }
  yield* entries(db, tenantId)
  yield* products(db, tenantId)
  for (const rule of await exportedRules(db, tenantId)) yield { kind: 'merchandising_rule', ...rule }
  const vocabulary = await exportedVocabulary(db, tenantId)
  if (vocabulary !== null) yield { kind: 'search_vocabulary', ...vocabulary }
}

async function* users(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  const memberships = Map.groupBy(await listMemberships(db, tenantId), (row) => row.user_id)
  for (const { id, email, name, role, ceiling, disabled_at, created_at } of byId(await listUsers(db, tenantId))) {
    yield {
      kind: 'user',
      id,
      email,
      name,
      role: role as 'reader',
      ...(ceiling === null ? {} : { ceiling: ceiling as 'public' }),
      disabled_at: disabled_at === null ? null : isoTime(disabled_at),
      created_at: isoTime(created_at),
      workspaces: (memberships.get(id) ?? []).map((row) => row.workspace_id),
    }
  }
}

async function* entries(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  for (let after = ''; ;) {
    const page = await entriesAfter(db, tenantId, after, PAGE)
    if (page.length === 0) return
    after = page[page.length - 1].id
    const ids = page.map(({ id }) => id)
    const projects = await membershipsOf(db, 'project', tenantId, ids)
    const sites = await membershipsOf(db, 'site', tenantId, ids)
    for (const row of page) {
      yield { kind: 'entry', ...exportedEntry(row, projects.get(row.id) ?? [], sites.get(row.id) ?? []) }
      if (row.version > 1) yield* versions(db, tenantId, row.id)
    }
  }
}

function exportedEntry(row: EntryRow, projects: string[], sites: string[]): ExportedEntry {
  const { tenant_id: _tenant, embedding_model: _model, ...entry } = entryOf(row)
  return { ...entry, related_themes: row.related_themes, projects, sites }
}

async function* products(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  for (let after = ''; ;) {
    const page = await productsAfter(db, tenantId, after, PAGE)
    if (page.length === 0) return
    after = page[page.length - 1].id
    for (const row of page) yield { kind: 'product', ...exportedProduct(row) }
  }
}

async function* versions(db: Queries, tenantId: string, entryId: string): AsyncGenerator<ExportLine> {
  for (let after = 0; ;) {
    const page = await versionsAfter(db, tenantId, entryId, after, PAGE)
    if (page.length === 0) return
    after = page[page.length - 1].version
    for (const row of page) yield exportedVersion(row)
  }
}

function exportedVersion(row: EntryVersionRow): ExportLine {
  const { tenant_id: _tenant, ...snapshot } = JSON.parse(row.snapshot) as Entry
  return {
    kind: 'version',
    entry_id: row.entry_id,
    version: row.version,
    visibility: row.visibility as Entry['visibility'],
    workspace_id: row.workspace_id,
    updated_at: isoTime(row.updated_at),
    snapshot,
  }
}

function collectionOf({ id, name, description, created_at, updated_at }: NamedRow) {
  return { id, name, description, created_at: isoTime(created_at), updated_at: isoTime(updated_at) }
}

/** Sorts categories by level from the top, and by id within a level. */
function parentsFirst(rows: readonly CategoryRow[]): CategoryRow[] {
  const children = Map.groupBy(byId(rows), (row) => row.parent_id)
  const ordered = [...(children.get(null) ?? [])]
  for (const row of ordered) ordered.push(...(children.get(row.id) ?? []))
  return ordered
}

function byId<T extends { id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
