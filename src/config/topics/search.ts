import { hostAndPort, hostsAndPorts, integer, PROCESSES_MAX } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'
import { type AllSet, allSet, type With } from '../values.ts'

export const SEARCH = topic({
  title: 'Search',
  ownPrefixes: ['SEARCH_'],
  settings: {
    searchMemoryMb: setting({
      name: 'SEARCH_MEMORY_MB',
      kind: integer(16, 4096),
      default: '2048',
      meaning:
        'The memory of all search indexes together. Their vectors lie in one WebAssembly memory, which ends at 4 GiB.',
      example: '1024',
    }),
    searchMemoryPerTenantMb: setting({
      name: 'SEARCH_MEMORY_PER_TENANT_MB',
      kind: integer(1, 1e6),
      defaultWords: 'half of SEARCH_MEMORY_MB',
      meaning: 'The memory of the search indexes of one tenant together.',
      example: '256',
    }),
    /** Number of processes that hold the indexes of a tenant, where several share the port. */
    searchProcessesPerTenant: setting({
      name: 'SEARCH_PROCESSES_PER_TENANT',
      kind: integer(1, PROCESSES_MAX),
      default: '1',
      meaning: "How many of PROCESSES, or of SEARCH_PEERS, hold a tenant's search indexes and answer its searches.",
      example: '2',
    }),
    searchPassing: {
      /** Addresses of all processes to which searches are passed on; those of this machine may be among them. */
      peers: setting({
        name: 'SEARCH_PEERS',
        kind: hostsAndPorts,
        defaultWords: '(those of PROCESSES)',
        meaning:
          'The processes of all machines that share tenants, this one among them. A process passes searches on to them.',
        example: '10.0.0.1:9400,10.0.0.2:9400',
      }),
      /** Address at which the first process here answers searches of others; each further process has the next port. */
      listen: setting({
        name: 'SEARCH_LISTEN',
        kind: hostAndPort,
        defaultWords: '(none)',
        meaning:
          'The private address at which this process answers searches of SEARCH_PEERS. Of several processes each has ' +
          'the next port.',
        example: '10.0.0.1:9400',
      }),
    },
    searchWaitSeconds: setting({
      name: 'SEARCH_WAIT_SECONDS',
      kind: integer(1, 300),
      default: '5',
      meaning: 'How long a search waits for its index while the service builds it. Then it gets 503.',
      example: '30',
    }),
    searchFreshWaitMs: setting({
      name: 'SEARCH_FRESH_WAIT_MS',
      kind: integer(0, 60_000),
      default: '200',
      meaning:
        'How long a search waits for the words and vectors of what was written last. Then it answers without them and ' +
        'says so. It always knows every deletion, visibility, price and other value.',
      example: '1000',
    }),
    searchRebuildWaitSeconds: setting({
      name: 'SEARCH_REBUILD_WAIT_SECONDS',
      kind: integer(0, 3_600),
      default: '60',
      meaning:
        'How long a start waits until the search indexes that were used last are built anew, as some upgrades need. ' +
        'Meanwhile the port is closed, and other processes have the requests.',
      example: '300',
    }),
    searchSnapshotMb: setting({
      name: 'SEARCH_SNAPSHOT_MB',
      kind: integer(0, 1e6),
      default: '4096',
      meaning:
        'The disk space in DATA_DIR for search indexes, which a restart then reads instead of building them. Each ' +
        'process takes as much again for parts of indexes while memory is short. 0 keeps none.',
      example: '16384',
    }),
  },
})

type Values = ValuesOf<typeof SEARCH.settings>
export type SearchPassingConfig = AllSet<Values['searchPassing']>

export interface SearchConfig extends With<Omit<Values, 'searchPassing'>, 'searchMemoryPerTenantMb'> {
  /** The machines between which searches are passed on; null: between the processes of this machine. */
  readonly searchPassing: SearchPassingConfig | null
}

/** Completes the settings of search. By default a tenant may use half of the memory of all indexes. */
export function searchConfig(values: Values): SearchConfig {
  return {
    ...values,
    searchMemoryPerTenantMb: values.searchMemoryPerTenantMb ?? Math.floor(values.searchMemoryMb / 2),
    searchPassing: allSet(values.searchPassing),
  }
}
