import { Gauge, type Registry } from 'prom-client'
import type { BackupState } from './schedule.ts'

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

/** Publishes the state of the backups, whichever process made them. Reading the metrics reads it from the database. */
export function watchBackups(registry: Registry, read: () => Promise<BackupState | null>): void {
  for (const [name, { help, of }] of Object.entries(GAUGES)) {
    // oxlint-disable-next-line no-new -- registers itself
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const state = await read().catch(() => null)
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
