import {
  backupConcern,
  type BackupFacts,
  backupFacts,
  type BackupState,
  type BackupPlan,
} from '../../../composition/backup/concern.ts'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../platform/database/database.ts'
import { fail, type Finding, ok, warn } from './check.ts'
import { askService, GIVE_SETTINGS, valuesOf } from './running-service.ts'

const HOUR_SECONDS = 3_600

/**
 * Judges the backups by the settings of the running service, which its metrics tell, or else by those of the doctor's own
 * shell, and says by which. When the last one was, the database knows.
 */
export async function checkBackups(database: Database, config: Config): Promise<Finding> {
  const facts = await backupFacts(database)
  const { plan, source, unknown } = await planInForce(config, facts)
  const { verdict, text } = judge(plan, facts, Date.now())
  if (unknown === null) return { verdict, text: `${text} (by the settings of ${source})` }
  const guess = `whether the service makes backups is unknown: ${unknown}. By the settings of this shell: ${text}`
  return verdict === 'fail' ? fail(guess) : warn(guess)
}

function judge(plan: BackupPlan, facts: BackupFacts, now: number): Finding {
  const { everyHours, elsewhere } = plan
  const { last, dataSince } = facts
  const concern = backupConcern(plan, facts, now)
  // Of backups that the service should make, it is the service that fails.
  if (concern !== null) return everyHours === null || last === null ? warn(concern) : fail(concern)
  const made = last === null || last.succeeded_at === null ? null : madeOf(last, last.succeeded_at, everyHours)
  if (everyHours !== null) {
    const own = `the service makes one every ${everyHours === 1 ? 'hour' : `${everyHours} hours`}`
    return ok(made === null ? `${own}, the first one once it runs` : `${own}; ${made}`)
  }
  if (elsewhere === 'on') return ok('other means back the database up: BACKUP_ELSEWHERE is on')
  const own = 'the service makes none by itself: BACKUP_EVERY_HOURS is not set'
  if (made !== null) return ok(`${own}; ${made}`)
  return ok(dataSince === null ? `${own}; there is no entry and no product yet to back up` : own)
}

/**
 * Names the last backup by one time, the moment that it shows. After a restore its name has that, and the noted time is
 * that of the restore.
 */
function madeOf({ path, took_ms: tookMs }: BackupState, succeededAt: number, everyHours: number | null): string {
  if (tookMs === null) return `the data came from a restore of ${path}`
  return `the last one ${everyHours === null ? 'by command ' : ''}is of ${new Date(succeededAt).toISOString()}: ${path}`
}

/** The plan by which to judge. */
interface PlanInForce {
  readonly plan: BackupPlan
  /** Whose settings the plan is. */
  readonly source: string
  /** Why the plan of a service that runs cannot be known, and what to do; null when it is, or none runs. */
  readonly unknown: string | null
}

async function planInForce(config: Config, { last }: BackupFacts): Promise<PlanInForce> {
  const { address, metrics, refusal } = await askService(config)
  const shell = (why: string) => ({ plan: config.backup, source: `this shell: ${why}`, unknown: null })
  if (refusal !== null) return { ...shell(refusal), unknown: refusal }
  if (address === null) return shell('PORT=0 names no service to ask')
  if (metrics === null) return shell(`no service answers on ${address}`)
  const [intervalSeconds] = valuesOf(metrics, 'backup_interval_seconds')
  if (intervalSeconds === undefined) {
    const unknown = `${address} does not tell its own settings: ${GIVE_SETTINGS}`
    return { ...shell(unknown), unknown }
  }
  // A service on the doctor's port may have another database, and does then not know the same last backup.
  const [succeededAt] = valuesOf(metrics, 'backup_last_success_timestamp_seconds')
  if ((succeededAt ?? null) !== (last?.succeeded_at == null ? null : last.succeeded_at / 1_000))
    return shell(`the service on ${address} knows of another last backup than this database`)
  const [elsewhere] = valuesOf(metrics, 'backup_elsewhere')
  return {
    plan: {
      everyHours: intervalSeconds === 0 ? null : intervalSeconds / HOUR_SECONDS,
      elsewhere: elsewhere === 1 ? 'on' : 'off',
    },
    source: `the service on ${address}`,
    unknown: null,
  }
}
