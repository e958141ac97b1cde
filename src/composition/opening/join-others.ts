import type { Config } from '../../config.ts'
import { ENTRY_INDEX } from '../../knowledge/entries/indexing/index-source.ts'
import type { ProcessPort } from '../../platform/processes/process-port.ts'
import { SecretBox } from '../../platform/secrets.ts'
import type { MemoryEngine } from '../../search/memory/host/engine.ts'
import { joinPeers } from '../../search/passing/join-peers.ts'
import { joinProcesses, type SharedSearch } from '../../search/passing/join-processes.ts'
import type { Members } from '../../search/passing/members.ts'
import { processIdentity } from '../../search/passing/process-identity.ts'
import { PASSING_KEY_PURPOSE } from '../../search/passing/sealed-line.ts'
import { countPassedSearches } from '../../search/telemetry/engine-metrics.ts'
import type { TenantShare } from '../../search/tenant-share.ts'
import { PRODUCT_INDEX } from '../../shop/products/indexing/index-source.ts'
import type { Opening } from './opening.ts'

/**
 * Returns this process's share of the tenants once all processes run; null where it holds all, or does not know yet.
 */
export function shareAtStart(
  port: ProcessPort | null,
  members: Members | null,
  { searchProcessesPerTenant: holders }: Config,
): TenantShare | null {
  if (members !== null) return members.shareOf(holders)
  if (port === null) return null
  const processes = Array.from({ length: port.count }, (_, i) => String(i + 1))
  return { own: String(port.number), processes, holders }
}

/**
 * Joins the processes of all machines, or else those of this one.
 * @param members the processes of all machines; null where the settings name none
 * @param warmed resolves when this process can answer searches of others
 * @returns null where there are no other processes
 */
export async function joinOthers(
  { config, logger, metrics, port }: Opening,
  members: Members | null,
  memory: MemoryEngine,
  warmed: Promise<void>,
): Promise<SharedSearch | null> {
  if (members === null && port === null) return null
  const warn = (error: unknown): void =>
    logger.warn({ err: error }, 'other processes cannot pass searches on to this one')
  const options = {
    engine: memory,
    identity: processIdentity([ENTRY_INDEX, PRODUCT_INDEX]),
    holders: config.searchProcessesPerTenant,
    onOutcome: countPassedSearches(metrics.registry),
  }
  if (members === null) return joinProcesses(port!, options, warn)
  return joinPeers(members, SecretBox.of(config).derive(PASSING_KEY_PURPOSE), options, warmed, logger)
}
