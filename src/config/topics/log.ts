import { choice, integer } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

export const LOG = topic({
  title: 'Log and metrics',
  ownPrefixes: ['REQUEST_LOG_', 'SLOW_REQUEST_', 'METRICS_'],
  settings: {
    logLevel: setting({
      name: 'LOG_LEVEL',
      kind: choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
      default: 'info',
      meaning: 'The least important level that the service logs.',
      example: 'warn',
    }),
    /** The answered requests that are logged; see `RequestLogOptions`. */
    requestLog: {
      percent: setting({
        name: 'REQUEST_LOG_PERCENT',
        kind: integer(0, 100),
        default: '1',
        meaning:
          'How many of 100 requests without a fault the service logs. It logs every faulty one and every slow one.',
        example: '100',
      }),
      slowMs: setting({
        name: 'SLOW_REQUEST_MS',
        kind: integer(0, 3_600_000),
        default: '1000',
        meaning:
          'How long a request keeps the service busy before the log says what it spent its time on. 0 logs none.',
        example: '250',
      }),
    },
    metricsTenants: setting({
      name: 'METRICS_TENANTS',
      kind: choice(['on', 'off']),
      default: 'off',
      meaning:
        'Whether /metrics names the ten tenants with most work, and what they took. Turn it on where no stranger reaches ' +
        '/metrics.',
      example: 'on',
    }),
  },
})

export type LogConfig = ValuesOf<typeof LOG.settings>
