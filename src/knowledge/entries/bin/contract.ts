import { VISIBILITIES } from '../../../platform/access/visibility.ts'
import { Contract, DateTime, Int, Nullable, OneOf, type Static, Type, Uuid } from '../../../platform/contract/schema.ts'
import { ENTRY_SOURCES, ENTRY_TYPES } from '../kinds.ts'

/** Deleted entry without its text, which can be read again once the entry is restored. */
export const BinnedEntry = Contract('BinnedEntry', {
  id: Uuid(),
  tenant_id: Type.String(),
  type: OneOf(ENTRY_TYPES),
  title: Type.String(),
  category_id: Uuid(),
  visibility: OneOf(VISIBILITIES),
  language: Type.String(),
  workspace_id: Nullable(Uuid()),
  source: OneOf(ENTRY_SOURCES),
  source_reference: Nullable(Type.String()),
  created_by_user_id: Nullable(Uuid()),
  version: Int({ minimum: 1 }),
  deleted_at: DateTime(),
  deleted_by_user_id: Nullable(Uuid()),
  purge_at: DateTime({ description: 'When it is deleted for good' }),
})
export type BinnedEntry = Static<typeof BinnedEntry>
