import type { Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { publishGauge } from './gauges.ts'

/** Publishes how many database connections of this thread are in use, and how much waits for them. */
export function watchDatabase(registry: Registry, database: Pick<Database, 'connections'>): void {
  publishGauge(
    registry,
    {
      name: 'database_connections',
      help: 'Connections that work (in_use) or wait for work (idle); of SQLite, the one that writes',
      labelNames: ['state'],
    },
    () => {
      const { inUse, idle } = database.connections()
      return [
        { labels: { state: 'in_use' }, value: inUse },
        { labels: { state: 'idle' }, value: idle },
      ]
    },
  )
  publishGauge(registry, { name: 'database_connections_max', help: 'Most connections there may be' }, () => [
    { value: database.connections().max },
  ])
  publishGauge(
    registry,
    {
      name: 'database_waiting',
      help: 'Statements and transactions that wait for a connection, and transactions that wait for their turn (write)',
      labelNames: ['for'],
    },
    () => {
      const { waiting, writesWaiting } = database.connections()
      return [
        { labels: { for: 'connection' }, value: waiting },
        { labels: { for: 'write' }, value: writesWaiting },
      ]
    },
  )
}
