import { isEveryAddress } from '../../platform/host-port.ts'
import { type Check, check, together } from '../check.ts'
import { DATA } from './data.ts'
import { LISTENING } from './listening.ts'
import { MAIL } from './mail.ts'
import { SEARCH } from './search.ts'
import { SIGN_IN } from './sign-in.ts'

const { databaseUrl, databaseReplicaUrl, secretKey } = DATA.settings
const { searchMemoryMb, searchMemoryPerTenantMb } = SEARCH.settings
const { peers, listen } = SEARCH.settings.searchPassing
const { issuer, clientId, clientSecret } = SIGN_IN.settings

const replicaHasDatabase = check([databaseReplicaUrl, databaseUrl], (replica, database) =>
  replica !== null && database === null ? 'DATABASE_REPLICA_URL must be set together with DATABASE_URL' : null,
)

const tenantFitsIntoMemory = check([searchMemoryPerTenantMb, searchMemoryMb], (tenantMb, allMb) =>
  tenantMb !== null && tenantMb > allMb
    ? `SEARCH_MEMORY_PER_TENANT_MB must be at most SEARCH_MEMORY_MB, which is ${allMb}: lower it, or raise SEARCH_MEMORY_MB`
    : null,
)

// Commands may share a file of settings with the service, and with it SEARCH_PEERS, but they answer no searches. So the
// rules about passing searches on apply only when SEARCH_LISTEN is set.

const listenerHasPeers = check([listen, peers], (address, all) =>
  address !== null && all === null
    ? 'SEARCH_LISTEN needs SEARCH_PEERS, the addresses of all processes that share tenants'
    : null,
)

const peersShareSecret = check([listen, peers, secretKey], (address, all, key) =>
  address !== null && all !== null && key === null ? 'SEARCH_PEERS needs SECRET_KEY, the same for every process' : null,
)

const listenerHasOwnPort = check([listen, peers, LISTENING.settings.port], (address, all, port) =>
  address !== null && all !== null && address.port === port ? 'SEARCH_LISTEN must have another port than PORT' : null,
)

const probesHaveOwnPort = check([LISTENING.settings.probePort, LISTENING.settings.port], (probePort, port) =>
  probePort === port ? 'PROBE_PORT must be another port than PORT' : null,
)

const everyAddressIsNamed = check([listen, peers], (address, all) =>
  address !== null && all !== null && isEveryAddress(address) && !all.some((peer) => peer.port === address.port)
    ? 'SEARCH_PEERS must name this process too, since SEARCH_LISTEN is every address of the machine'
    : null,
)

/** The rules across settings, in the order in which people see their faults. */
export const CHECKS: readonly Check[] = [
  replicaHasDatabase,
  together(issuer, clientId, clientSecret),
  together(MAIL.settings.smtpUrl, MAIL.settings.from),
  tenantFitsIntoMemory,
  listenerHasPeers,
  peersShareSecret,
  listenerHasOwnPort,
  probesHaveOwnPort,
  everyAddressIsNamed,
]
