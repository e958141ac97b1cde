import { statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/database/database.ts'
import { olderConnections } from '../../platform/database/older-connections.ts'
import { databaseFile } from '../../platform/database/sqlite-file.ts'
import { readFormerSecret, secretFile } from '../../platform/secret-file.ts'
import { calledAs } from './called-as.ts'
import { isService, openIn, startOf } from './linux-processes.ts'

/**
 * Says which services started before the key file was written, and so still seal with the key before, and what to do:
 * processes of this user that have the embedded database open, or connections to PostgreSQL.
 * @returns null where no such service is known, or no key file is being replaced
 * @throws SecretFileError when the file of the key before is not usable
 */
export async function formerHolderConcern(
  { queries }: Pick<Database, 'queries'>,
  config: Config,
): Promise<string | null> {
  if (config.secretKey !== null || readFormerSecret(config.dataDir).length === 0) return null
  const changedMs = statSync(secretFile(config.dataDir)).mtimeMs
  const holders =
    config.databaseUrl === null ? olderServices(config, changedMs) : await olderClients(queries, changedMs)
  if (holders.length === 0) return null
  return (
    `a service that started before the new key still seals with the former one (${holders.join(', ')}). First start it ` +
    `again, then call: ${calledAs('secret rotate')}, and last: ${calledAs('secret forget')}`
  )
}

function olderServices({ dataDir }: Config, changedMs: number): readonly string[] {
  const isOlder = (pid: string): boolean => (startOf(pid) ?? Infinity) < changedMs
  return openIn(databaseFile(dataDir))
    .filter((pid) => isService(pid) && isOlder(pid))
    .map((pid) => `process ${pid}`)
}

async function olderClients(queries: Database['queries'], changedMs: number): Promise<readonly string[]> {
  const addresses = await olderConnections(queries, changedMs)
  return addresses.map((address) => `connected to PostgreSQL from ${address ?? 'its own machine'}`)
}
