import { type CommandLine, type Options, readArguments } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { UsageError } from './failure.ts'

/** An action of a command, such as `issue` of `key`. */
export interface Action {
  readonly summary: string
  readonly line: CommandLine
  run(args: readonly string[], call: CommandCall): Promise<number>
}

/** Makes an action that calls `act` with the words of the call, except when the call asks for help. */
export function action<const T extends Options>(
  summary: string,
  line: CommandLine<T>,
  act: (words: NonNullable<ReturnType<typeof readArguments<T>>>, call: CommandCall) => Promise<number>,
): Action {
  const run = async (args: readonly string[], call: CommandCall): Promise<number> => {
    const words = readArguments(args, line, call)
    return words === null ? 0 : act(words, call)
  }
  return { summary, line, run }
}

/**
 * Runs the action that the first word names.
 * @throws UsageError when the action is missing or unknown
 */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  args: readonly string[],
  call: CommandCall,
): Promise<number> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h') {
    const lines = Object.entries(actions).map(([action, { summary }]) => `  ${action.padEnd(8)} ${summary}`)
    call.stdout.write(`Usage: ${calledAs(`${command} <action> [options]`)}\n\n${lines.join('\n')}\n`)
    call.stdout.write(`\nHelp for an action: ${calledAs(`${command} <action> --help`)}\n`)
    return 0
  }
  const called = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (called === undefined) {
    const what = name === undefined ? `"${command}" needs an action.` : `"${command}" has no action "${name}".`
    throw new UsageError(`${what} The actions are: ${Object.keys(actions).join(', ')}`)
  }
  return called.run(rest, call)
}
