import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Portable } from '../../platform/database/portable.ts'
import type { EntryRow, EntryVersionRow } from '../../platform/database/tables.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { planVectors } from '../../embedding/planned-vectors.ts'
import type { TenantModels } from '../../embedding/target-model.ts'
import { tidyLanguage } from '../../platform/contract/language.ts'
import { faultsOf, joinFaults } from '../../platform/contract/all-faults.ts'
import { conflict, invalid, referenceNotFound } from '../../platform/faults.ts'
import { hasUser } from '../../identity/users/rules.ts'
import { purge } from './bin/bin-store.ts'
import { rowOf, sameContent } from './writes/draft.ts'
import { ENTRY_EMBEDDING } from './indexing/entry-embedding.ts'
import { Entry } from './contract.ts'
import { addEntries } from './membership/membership-store.ts'
import { expiryOf } from './metadata/metadata.ts'
import { offerOfExport } from './prompts/offer.ts'
import * as references from './writes/references.ts'
import * as store from './store.ts'

/** Entry of an export: complete except for its vectors. */
type RestoredEntry = Omit<Entry, 'tenant_id' | 'embedding_model' | 'category_path'> & {
  readonly related_themes: string | null
  readonly projects: readonly string[]
  /** Absent in exports older than sites. */
  readonly sites?: readonly string[]
  /** Of a skill or bootstrap; absent in exports older than the scope for prompts. */
  readonly prompt?: { readonly for_others: boolean; readonly author_id: string | null }
}

/** Tenant into which an entry or product is restored, and the means of writing it. */
export interface RestorePlace {
  readonly tenantId: string
  /** Number of the change in the tenant's history. */
  readonly seq: number
  /** Embedding models of the tenant. */
  readonly models: TenantModels
  readonly portable: Portable
  readonly embedders: EmbedderPool
}

/**
 * Restores an entry with its id, times, version and owner. Its metadata was validated when it was first written, so it
 * is not validated again.
 * @throws Fault, before anything is written, when another entry has the id or a reference does not exist
 */
export async function restoreEntry(
  tx: Tx,
  { tenantId, seq, models, portable, embedders }: RestorePlace,
  entry: RestoredEntry,
): Promise<'created' | 'unchanged'> {
  const { projects, sites = [], prompt, ...fields } = entry
  // Exports of earlier versions may have `EN`.
  const language = tidyLanguage(entry.language)
  const expiresAt = expiryOf(entry.type, entry.metadata)
  const draft = { ...fields, language, url: entry.url ?? null, expires_at: expiresAt }
  const row = rowOf(draft, {
    tenantId,
    id: entry.id,
    ownerId: entry.created_by_user_id,
    createdAt: Date.parse(entry.created_at),
    updatedAt: Date.parse(entry.updated_at),
    version: entry.version,
    seq,
    offer: offerOfExport(prompt),
  })
  const stored = await store.findEntry(tx, tenantId, row.id)
  if (stored !== null) {
    if (stored.version === row.version && stored.updated_at === row.updated_at && sameContent(stored, row))
      return 'unchanged'
    throw conflict(['body', 'id'], 'This entry exists here in another state. It stays unchanged')
  }
  await requireReferences(tx, row, projects, sites)
  // The operator chose the export. The same entry in the bin would prevent its next deletion.
  await purge(tx, tenantId, [row.id])
  // Not through `DocumentWriter`, which needs a caller and the queue of a running service: an operator restores.
  const vectors = await planVectors(ENTRY_EMBEDDING, embedders, [row], models)
  row.embedding_model = vectors.modelOf(row.id)
  await store.insertEntry(tx, portable, row)
  await vectors.store(tx)
  for (const id of projects) await addEntries(tx, tenantId, { kind: 'project', id }, [row.id])
  for (const id of sites) await addEntries(tx, tenantId, { kind: 'site', id }, [row.id])
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'entry', resourceId: row.id }])
  return 'created'
}

async function requireReferences(
  tx: Tx,
  row: EntryRow,
  projects: readonly string[],
  sites: readonly string[],
): Promise<void> {
  const tenantId = row.tenant_id
  const requireOwner = async (id: string | null): Promise<void> => {
    if (id !== null && !(await hasUser(tx, tenantId, id)))
      throw referenceNotFound(['body', 'created_by_user_id'], 'User')
  }
  const [fault, ...further] = await faultsOf([
    () => references.require(tx, tenantId, row),
    () => requireOwner(row.created_by_user_id),
    () => references.requireMemberships(tx, tenantId, projects, sites),
  ])
  if (fault !== undefined) throw joinFaults(fault, further, Entry)
}

/** Earlier version of an entry in an export. The snapshot is the entry of that version, without its tenant. */
interface RestoredVersion {
  readonly entry_id: string
  readonly version: number
  readonly visibility: string
  readonly workspace_id: string | null
  readonly updated_at: string
  readonly snapshot: Readonly<Record<string, unknown>>
}

/** Restores an earlier version. @throws Fault when its entry is missing or not newer, or the version differs here */
export async function restoreVersion(
  tx: Tx,
  tenantId: string,
  version: RestoredVersion,
): Promise<'created' | 'unchanged'> {
  const { id, ...rest } = version.snapshot
  const row: EntryVersionRow = {
    tenant_id: tenantId,
    entry_id: version.entry_id,
    version: version.version,
    visibility: version.visibility,
    workspace_id: version.workspace_id,
    title: typeof version.snapshot.title === 'string' ? version.snapshot.title : '',
    snapshot: JSON.stringify({ id, tenant_id: tenantId, ...rest }),
    updated_at: Date.parse(version.updated_at),
  }
  const entry = await store.findEntry(tx, tenantId, row.entry_id)
  if (entry === null) throw referenceNotFound(['body', 'entry_id'], 'Entry')
  if (id !== row.entry_id || row.version >= entry.version)
    throw invalid(['body', 'version'], 'value_error', 'This is not an earlier version of the entry')
  const stored = await store.findVersion(tx, tenantId, row.entry_id, row.version)
  if (stored !== null) {
    if (stored.snapshot === row.snapshot) return 'unchanged'
    throw conflict(['body', 'version'], 'This version of the entry exists here with other content. It stays unchanged')
  }
  await store.insertVersion(tx, row)
  return 'created'
}
