import { tmpdir } from 'node:os'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import { ProcessSupervisor, type SupervisorOptions } from '../../platform/processes/supervisor.ts'
import { onStopSignal } from './interrupt.ts'

/**
 * Time that a process still has to end once its stop delay (`stopDelaySeconds`) is over. It is killed after that, which
 * happens only to a process that hangs.
 */
const END_WITHIN_MS = 15_000
/**
 * Time in which a process must begin to serve, besides the wait for its indexes: far longer than a start takes on a busy
 * machine.
 */
const START_WITHIN_MS = 5 * 60_000

/**
 * Runs several service processes until SIGINT or SIGTERM. SIGUSR2 replaces them one after the other. Windows does not
 * have that signal.
 * @returns the exit code
 * @throws ConfigError when the sockets between the processes cannot be made, because TMPDIR is not writable
 */
export function superviseProcesses(config: Config, count: number, logger: Logger): Promise<number> {
  const supervisor = supervisorOf({
    count,
    endWithinMs: config.stopDelaySeconds * 1_000 + END_WITHIN_MS,
    startWithinMs: START_WITHIN_MS + config.searchRebuildWaitSeconds * 1_000,
    log: logger,
  })
  onStopSignal(
    (signal) => supervisor.stop(signal),
    () => supervisor.kill(),
  )
  if (process.platform !== 'win32') process.on('SIGUSR2', () => void supervisor.replaceAll())
  return supervisor.run()
}

function supervisorOf(options: SupervisorOptions): ProcessSupervisor {
  try {
    return new ProcessSupervisor(options)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    throw new ConfigError([`TMPDIR must be a folder that this user may write to, not ${tmpdir()} (${code ?? message})`])
  }
}
