import { VERSION } from '../../platform/version.ts'
import type { CommandCall } from './command-call.ts'
import { COMMANDS, usage } from './commands.ts'
import { reportFailure } from './failure.ts'

/**
 * Runs the command that the first word names, and tells its failure on standard error.
 * @returns the exit code
 */
export async function runCommand([name = 'help', ...args]: readonly string[], call: CommandCall): Promise<number> {
  if (name === '--version' || name === '-v') {
    call.stdout.write(`${VERSION}\n`)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const wantsHelp = ['help', '--help', '-h'].includes(name)
    const text = wantsHelp ? usage() : `There is no command "${name}".\n\n${usage()}`
    ;(wantsHelp ? call.stdout : call.stderr).write(text)
    return wantsHelp ? 0 : 2
  }
  try {
    const loaded = await command.load()
    return await loaded.run(args, call)
  } catch (error) {
    return reportFailure(error, call.stderr)
  }
}
