import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { OpenedParts } from '../../platform/opened-parts.ts'
import type { ProcessPort } from '../../platform/processes/process-port.ts'
import type { DamageWatch } from '../../platform/telemetry/damage-watch.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { ThreadLog } from '../../platform/threads/supervisor.ts'

/** Returns the log for the threads of a start. */
export function threadLogOf({ logger, damage }: Pick<Opening, 'logger' | 'damage'>): ThreadLog {
  return {
    warn: (details, message) => logger.warn(details, message),
    noteDamage: (met) => damage.noteDamage(met),
  }
}

/** The settings, logs and metrics that every step of a start works with. */
export interface Opening {
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly metrics: Metrics
  readonly damage: DamageWatch
  /** The line to the supervisor of several processes; null without one. */
  readonly port: ProcessPort | null
  /** Collects each open part, so that a failure half-way leaves none open. */
  readonly opened: OpenedParts
  /** Logs the failure of a task in the background. */
  readonly warn: (error: unknown) => void
}
