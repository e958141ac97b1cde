import { Gauge, type Registry } from 'prom-client'
import { publishGauge } from '../../platform/telemetry/gauges.ts'
import { backupConcern, type BackupFacts, type BackupPlan, type BackupState } from './concern.ts'

/** The help of each metric, and its value by the state of the backups; null before there is a value. */
const GAUGES: Readonly<Record<string, { help: string; of: (state: BackupState) => number | null }>> = {
  backup_last_success_timestamp_seconds: {
    help: 'When the last complete backup of the service began, in seconds since 1970',
    of: (state) => secondsOf(state.succeeded_at),
  },
  backup_last_failure_timestamp_seconds: {
    help: 'When the last failed backup of the service began, in seconds since 1970',
    of: (state) => secondsOf(state.failed_at),
  },
  backup_last_bytes: { help: 'Bytes of data in the last complete backup', of: (state) => state.bytes },
  backup_last_duration_seconds: {
    help: 'How long the last complete backup took',
    of: (state) => secondsOf(state.took_ms),
  },
}

/**
 * Publishes how backups are set up, and their state, whichever process made them. Reading the metrics reads the state from
 * the database.
 */
export function watchBackups(registry: Registry, plan: BackupPlan, read: () => Promise<BackupFacts>): void {
  publishGauge(
    registry,
    {
      name: 'backup_missing',
      help: 'Whether an operator should look after the backups (1): none was made, or the last one failed or is old',
    },
    async () => [{ value: backupConcern(plan, await read(), Date.now()) === null ? 0 : 1 }],
  )
  publishGauge(
    registry,
    { name: 'backup_interval_seconds', help: 'How often the service makes a backup by itself; 0 when it makes none' },
    () => [{ value: (plan.everyHours ?? 0) * 3_600 }],
  )
  publishGauge(
    registry,
    { name: 'backup_elsewhere', help: 'Whether BACKUP_ELSEWHERE says that other means back up the database (1)' },
    () => [{ value: plan.elsewhere === 'on' ? 1 : 0 }],
  )
  for (const [name, { help, of }] of Object.entries(GAUGES)) {
    // oxlint-disable-next-line no-new -- registers itself
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const state = await read().then(
          ({ last }) => last,
          () => null,
        )
        const value = state === null ? null : of(state)
        if (value === null) this.remove()
        else this.set(value)
      },
    })
  }
}

function secondsOf(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1_000
}
