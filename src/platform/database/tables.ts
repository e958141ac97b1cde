import type { Generated } from 'kysely'
import type {
  BinnedEntryRow,
  CategoryRow,
  EmbeddingJobRow,
  EntryRow,
  EntryTagRow,
  EntryVectorsRow,
  EntryVersionRow,
  NamedRow,
} from './entry-rows.ts'
import type { PasskeyChallengeRow, PasskeyRow, SignInStepRow, TotpRow } from './factor-rows.ts'
import type { JudgedQueryRow, JudgedRunRow, JudgedSetRow } from './judged-rows.ts'
import type { OAuthClientRow, OAuthRecordRow } from './oauth-rows.ts'
import type { BackupStateRow, OperatorLogRow, OperatorRow, TenantUsageRow, UsageDayRow } from './operator-rows.ts'
import type {
  MerchandisingRow,
  MerchandisingRuleRow,
  ProductRow,
  ProductSyncRunRow,
  ProductVectorsRow,
  SiteRow,
} from './product-rows.ts'
import type { ClickBoostRow, SearchClickRow, SearchLogRow, VisitorSaltRow } from './search-rows.ts'
import type {
  ApiKeyRow,
  AuditRow,
  InvitationRow,
  MailRow,
  PasswordResetRow,
  SessionRow,
  TenantModelColumns,
  TenantQuotaColumns,
  TenantRow,
  UserIdentityRow,
  UserRow,
} from './tenant-rows.ts'

export type * from './entry-rows.ts'
export type * from './factor-rows.ts'
export type * from './judged-rows.ts'
export type * from './oauth-rows.ts'
export type * from './operator-rows.ts'
export type * from './product-rows.ts'
export type * from './search-rows.ts'
export type * from './tenant-rows.ts'

/**
 * The tables as queries see them. Times are milliseconds since 1970, flags are 0 or 1, and JSON is text, so that both
 * databases return the same values. Every key begins with `tenant_id`.
 */
export interface Tables {
  tenants: TenantRow & TenantModelColumns & TenantQuotaColumns & { settings_version: Generated<number> }
  users: UserRow
  /** Hashes of passwords are in a table of their own, so that no query for users reads them. */
  user_passwords: { tenant_id: string; user_id: string; hash: string; changed_at: number }
  api_keys: ApiKeyRow
  /** The origins of publishable keys, to answer preflights by. */
  publishable_origins: { tenant_id: string; key_id: string; origin: string }
  audit_log: AuditRow
  categories: CategoryRow
  workspaces: NamedRow
  workspace_members: { tenant_id: string; workspace_id: string; user_id: string }
  projects: NamedRow
  project_entries: { tenant_id: string; project_id: string; entry_id: string }
  entries: EntryRow
  entry_tags: EntryTagRow
  entry_versions: EntryVersionRow
  entry_tombstones: { tenant_id: string; entry_id: string; seq: number }
  binned_entries: BinnedEntryRow
  binned_entry_versions: EntryVersionRow
  entry_vectors: EntryVectorsRow
  embedding_jobs: EmbeddingJobRow
  /** Mean and spread of the cosines by which the scale of a model follows; all of the tenant `*`. */
  embedding_models: { tenant_id: string; model: string; mean: number; spread: number; measured_at: number }
  sites: SiteRow
  site_entries: { tenant_id: string; site_id: string; entry_id: string }
  products: ProductRow
  product_tombstones: { tenant_id: string; product_id: string; seq: number }
  product_vectors: ProductVectorsRow
  merchandising: MerchandisingRow
  merchandising_rules: MerchandisingRuleRow
  product_sync_runs: ProductSyncRunRow
  judged_sets: JudgedSetRow
  judged_queries: JudgedQueryRow
  judged_runs: JudgedRunRow
  search_log: SearchLogRow
  search_clicks: SearchClickRow
  click_boosts: ClickBoostRow
  visitor_salts: VisitorSaltRow
  user_identities: UserIdentityRow
  /** Rules by which people of an outside provider become users; without a row, people need an invitation. */
  sign_in_rules: { tenant_id: string; version: number; rules: string }
  sessions: SessionRow
  /** Logout tokens of the outside provider that were used, as hashes, until they end; all of the tenant `*`. */
  used_logout_tokens: { tenant_id: string; hash: string; expires_at: number }
  user_totp: TotpRow
  recovery_codes: { tenant_id: string; user_id: string; hash: string }
  passkeys: PasskeyRow
  /** Users whose second factors an administrator has ended, until they sign in. */
  factor_resets: { tenant_id: string; user_id: string; reset_at: number }
  sign_in_steps: SignInStepRow
  passkey_challenges: PasskeyChallengeRow
  invitations: InvitationRow
  password_resets: PasswordResetRow
  mail_outbox: MailRow
  /** People whose erasure has begun and is not complete. */
  user_erasures: { tenant_id: string; user_id: string; begun_at: number }
  oauth_clients: OAuthClientRow
  oauth_records: OAuthRecordRow
  oauth_signing_keys: { tenant_id: string; id: string; sealed: string; created_at: number }
  operators: OperatorRow
  operator_log: OperatorLogRow
  /** Ids that no tenant may have again. */
  removed_tenants: { tenant_id: string; removed_at: number }
  tenant_usage: TenantUsageRow
  usage_days: UsageDayRow
  backup_state: BackupStateRow
}
