import { integer, networks } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

const requests = integer(0, 1e9)

export const LIMITS = topic({
  title: 'Limits',
  ownPrefixes: ['RATE_LIMIT_', 'OPERATOR_', 'CONNECTIONS_'],
  settings: {
    rateLimitPerMinute: setting({
      name: 'RATE_LIMIT_PER_MINUTE',
      kind: requests,
      default: '0',
      meaning:
        'How many requests a credential may make a minute, in each process. A search counts for each section. 0 is no ' +
        'limit.',
      example: '600',
    }),
    publishableRateLimitPerMinute: setting({
      name: 'RATE_LIMIT_PUBLISHABLE_PER_MINUTE',
      kind: requests,
      default: '1200',
      meaning:
        'How many requests an address with a publishable key may make a minute, in each process. A search counts for ' +
        'each section. 0 is no limit.',
      example: '6000',
    }),
    operatorRateLimitPerMinute: setting({
      name: 'RATE_LIMIT_OPERATOR_PER_MINUTE',
      kind: requests,
      default: '1200',
      meaning:
        'How many requests an operator may make a minute, and how many refused operator credentials an address may ' +
        'send, in each process. 0 is no limit.',
      example: '120',
    }),
    /** Networks from which operators are served; null for every address. */
    operatorNetworks: setting({
      name: 'OPERATOR_NETWORKS',
      kind: networks,
      defaultWords: '(every address)',
      meaning: 'The addresses and networks from which /api/operator is served. Elsewhere it does not exist.',
      example: '10.0.0.0/8,192.0.2.7',
    }),
    connectionsPerAddress: setting({
      name: 'CONNECTIONS_PER_ADDRESS',
      kind: integer(0, 1e6),
      default: '256',
      meaning:
        'How many connections an address may have open. Those of the proxies in TRUST_PROXY do not count. 0 is no limit.',
      example: '64',
    }),
  },
})

export type LimitsConfig = ValuesOf<typeof LIMITS.settings>
