import { countTenants } from '../../identity/tenants/list-rules.ts'
import { failingInWords, type ProviderHealth, unreadInWords } from '../../embedding/provider-health.ts'
import { countWaiting } from '../../embedding/rules.ts'
import { backupConcern, backupFacts, type BackupPlan } from '../../composition/backup/concern.ts'
import { serverVersion } from '../../platform/database/connect.ts'
import type { Database } from '../../platform/database/database.ts'
import { pendingMigrations } from '../../platform/database/migrate.ts'
import type { DamageWatch } from '../../platform/telemetry/damage-watch.ts'
import type { ThreadHealth } from '../../platform/threads/supervisor.ts'
import { PROGRAM_COMMIT } from '../../platform/commit.ts'
import { VERSION } from '../../platform/version.ts'
import type { SearchEngine } from '../../search/engine.ts'
import { behindFields, behindInWords, isLongBehind } from '../../search/telemetry/behind.ts'
import type { InstallationStatus } from './contract.ts'

/** Time for a short statement from which on the database slows every request down. */
const SLOW_DATABASE_MS = 100
/** Beyond this share of the search memory, indexes begin to give way to each other. */
const FULL_SHARE = 0.9

export interface StatusSources {
  readonly database: Database
  readonly engine: Pick<SearchEngine, 'status'>
  readonly provider: Pick<ProviderHealth, 'model' | 'failingSince' | 'unreadReason'>
  readonly threads: () => readonly ThreadHealth[]
  readonly damage: Pick<DamageWatch, 'codes' | 'concerns'>
  readonly backupPlan: BackupPlan
}

/** Returns the state of the installation as this process sees it, without anything that a tenant has stored. */
export async function installationStatus(sources: StatusSources): Promise<InstallationStatus> {
  const { database, engine, provider } = sources
  const { queries, portable } = database
  const startedAt = performance.now()
  const tenants = await countTenants(queries)
  const answersInMs = Math.round((performance.now() - startedAt) * 100) / 100
  const [{ applied }, jobs, index, facts] = await Promise.all([
    pendingMigrations(database),
    countWaiting(queries),
    engine.status().catch(() => null),
    backupFacts(database),
  ])
  const { last: backups } = facts
  const concern = backupConcern(sources.backupPlan, facts, Date.now())
  const threads = sources.threads().map(({ name, isDown, restarts }) => ({ name, down: isDown, restarts }))
  const status = {
    version: VERSION,
    commit: PROGRAM_COMMIT,
    database: {
      kind: portable.name,
      version: portable.name === 'postgres' ? (await serverVersion(queries)).name : null,
      migrations: applied,
      answers_in_ms: answersInMs,
      damage: sources.damage.codes,
    },
    tenants,
    embedding: {
      model: provider.model,
      ...jobs,
      unread_reason: provider.unreadReason,
      provider_failing_since: timeOf(provider.failingSince),
    },
    search:
      index === null
        ? null
        : {
            indexes: index.indexes,
            documents: index.documents,
            passages: index.passages,
            ...behindFields(index),
            left_out: index.leftOut,
            refused: index.refused,
            bytes: index.bytes,
            bytes_max: index.bytesMax,
          },
    threads,
    backups: {
      every_hours: sources.backupPlan.everyHours,
      missing: concern !== null,
      last_success_at: timeOf(backups?.succeeded_at),
      last_failure_at: timeOf(backups?.failed_at),
      failure: backups?.failure ?? null,
      bytes: backups?.bytes ?? null,
      took_seconds: backups?.took_ms == null ? null : backups.took_ms / 1_000,
    },
  }
  return {
    ...status,
    warnings: [...sources.damage.concerns, ...warningsOf(status), ...(concern === null ? [] : [concern])],
  }
}

function timeOf(at: number | null | undefined): string | null {
  return at == null ? null : new Date(at).toISOString()
}

type WarningSources = Pick<InstallationStatus, 'database' | 'embedding' | 'search' | 'threads'>

function warningsOf({ database, embedding, search, threads }: WarningSources): string[] {
  const warnings = threads
    .filter(({ down }) => down)
    .map(({ name }) => `The ${name} thread has ended and is being started again; the log says why`)
  if (search !== null && search.refused > 0)
    warnings.push(
      `${search.refused} search indexes have no room: raise SEARCH_MEMORY_MB, or SEARCH_MEMORY_PER_TENANT_MB for large tenants`,
    )
  else if (search !== null && search.bytes > search.bytes_max * FULL_SHARE)
    warnings.push('The search memory is almost full, so that indexes give way to each other: raise SEARCH_MEMORY_MB')
  if (search !== null && search.left_out > 0)
    warnings.push(
      `${search.left_out} documents are found by no search, since the search memory of their tenants is full: raise ` +
        'SEARCH_MEMORY_PER_TENANT_MB; the status of each tenant names them',
    )
  if (search !== null && isLongBehind(search))
    warnings.push(
      `Searches lack the latest changes: ${behindInWords(search)}. If the number does not fall, look at the search thread and at the database`,
    )
  if (embedding.unread_reason !== null)
    warnings.push(`${unreadInWords(embedding.unread_reason)}. \`knowledge doctor\` says what to do`)
  else if (embedding.provider_failing_since !== null)
    warnings.push(
      `${failingInWords(embedding.provider_failing_since, embedding.failing)}: searches by meaning fail, and others go by words. Check the EMBEDDING_ settings and the provider`,
    )
  else if (embedding.failing > 0)
    warnings.push(
      `${embedding.failing} texts wait for vectors because the embedding provider failed; the service tries again: check the EMBEDDING_ settings and the provider`,
    )
  if (database.answers_in_ms > SLOW_DATABASE_MS)
    warnings.push(`The database took ${database.answers_in_ms} ms for a short question: find out what keeps it busy`)
  return warnings
}
