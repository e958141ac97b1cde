import { calledAs } from './called-as.ts'
import { UsageError } from './failure.ts'

/** An action of a command, such as `issue` of `key`. */
export interface Action {
  readonly summary: string
  run(args: readonly string[]): Promise<number>
}

/**
 * Runs the action that the first word names.
 * @throws UsageError when the action is missing or unknown
 */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  args: readonly string[],
): Promise<number> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h') {
    const lines = Object.entries(actions).map(([action, { summary }]) => `  ${action.padEnd(8)} ${summary}`)
    process.stdout.write(`Usage: ${calledAs(`${command} <action> [options]`)}\n\n${lines.join('\n')}\n`)
    process.stdout.write(`\nHelp for an action: ${calledAs(`${command} <action> --help`)}\n`)
    return 0
  }
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) {
    const what = name === undefined ? `"${command}" needs an action.` : `"${command}" has no action "${name}".`
    throw new UsageError(`${what} The actions are: ${Object.keys(actions).join(', ')}`)
  }
  return action.run(rest)
}
