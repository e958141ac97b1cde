import { everyCategory } from '../../../knowledge/categories/tree-rules.ts'
import { everyCollection } from '../../../knowledge/collections/rules.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { CategoryRow, EntryRow, EntryVersionRow, NamedRow } from '../../../platform/database/tables.ts'
import type { Entry } from '../../../knowledge/entries/contract.ts'
import { entryOf } from '../../../knowledge/entries/entry.ts'
import { exportedOffer } from '../../../knowledge/entries/prompts/offer.ts'
import { everyEntry, everyVersion } from '../../../knowledge/entries/export-rules.ts'
import { exportedRules, exportedVocabulary } from '../../../shop/products/merchandising/restore.ts'
import { exportedProduct } from '../../../shop/products/restore.ts'
import { everyProduct } from '../../../shop/products/export-rules.ts'
import { siteOf } from '../../../shop/sites/site.ts'
import { everySite } from '../../../shop/sites/rules.ts'
import { requireTenant } from '../../../identity/tenants/rules.ts'
import { everyUser } from '../../../identity/users/list-rules.ts'
import { workspacesByMember } from '../../../knowledge/workspaces/member-rules.ts'
import { EXPORT_FORMAT, EXPORT_KIND, type ExportedEntry, type ExportHeader, type ExportLine } from './format.ts'

/**
 * Yields the lines of a tenant's export. Two exports of the same data are identical, on either database. Only the
 * header names the tenant.
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
  for (const row of byId(await everyCollection(db, 'workspaces', tenantId))) {
    yield { kind: 'workspace', ...collectionOf(row) }
  }
  yield* users(db, tenantId)
  for (const row of parentsFirst(await everyCategory(db, tenantId))) {
    const { parent_id, sort_order } = row
    yield { kind: 'category', ...collectionOf(row), parent_id, sort_order }
  }
  for (const row of byId(await everyCollection(db, 'projects', tenantId))) {
    yield { kind: 'project', ...collectionOf(row) }
  }
  for (const row of byId(await everySite(db, tenantId))) {
    const { tenant_id: _tenant, ...site } = siteOf(row)
    yield { kind: 'site', ...site }
  }
  yield* entries(db, tenantId)
  for await (const row of everyProduct(db, tenantId)) yield { kind: 'product', ...exportedProduct(row) }
  for (const rule of await exportedRules(db, tenantId)) yield { kind: 'merchandising_rule', ...rule }
  const vocabulary = await exportedVocabulary(db, tenantId)
  if (vocabulary !== null) yield { kind: 'search_vocabulary', ...vocabulary }
}

async function* users(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  const memberships = await workspacesByMember(db, tenantId)
  for (const { id, email, name, role, ceiling, language, disabled_at, erased_at, created_at } of byId(
    await everyUser(db, tenantId),
  )) {
    yield {
      kind: 'user',
      id,
      email,
      name,
      role: role as 'reader',
      ...(ceiling === null ? {} : { ceiling: ceiling as 'public' }),
      ...(language === null ? {} : { language: language as 'de' }),
      ...(erased_at === null ? {} : { erased_at: isoTime(erased_at) }),
      disabled_at: disabled_at === null ? null : isoTime(disabled_at),
      created_at: isoTime(created_at),
      workspaces: memberships.get(id) ?? [],
    }
  }
}

async function* entries(db: Queries, tenantId: string): AsyncGenerator<ExportLine> {
  for await (const { row, projects, sites } of everyEntry(db, tenantId)) {
    yield { kind: 'entry', ...exportedEntry(row, projects, sites) }
    if (row.version <= 1) continue
    for await (const version of everyVersion(db, tenantId, row.id)) yield exportedVersion(version)
  }
}

function exportedEntry(row: EntryRow, projects: string[], sites: string[]): ExportedEntry {
  const { tenant_id: _tenant, embedding_model: _model, ...entry } = entryOf(row)
  const prompt = exportedOffer(row)
  return { ...entry, related_themes: row.related_themes, projects, sites, ...(prompt === undefined ? {} : { prompt }) }
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
