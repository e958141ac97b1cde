import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { ProcessSupervisor } from '../../platform/processes/supervisor.ts'
import { onStopSignal } from './interrupt.ts'

/** A process whose stop takes longer after its delay ends itself; this much later it is killed. */
const END_WITHIN_MS = 15_000
/** Far longer than a start takes that will come to serve, also while others keep the machine busy. */
const START_WITHIN_MS = 5 * 60_000

/**
 * Runs several service processes until SIGINT or SIGTERM. SIGUSR2 replaces them one after the other. Windows does not
 * have that signal.
 * @returns the exit code
 */
export function superviseProcesses(config: Config, count: number, logger: Logger): Promise<number> {
  const supervisor = new ProcessSupervisor({
    count,
    endWithinMs: config.stopDelaySeconds * 1_000 + END_WITHIN_MS,
    startWithinMs: START_WITHIN_MS,
    log: logger,
  })
  onStopSignal(
    (signal) => supervisor.stop(signal),
    () => supervisor.kill(),
  )
  if (process.platform !== 'win32') process.on('SIGUSR2', () => void supervisor.replaceAll())
  return supervisor.run()
}
