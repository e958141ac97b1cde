import { ignoreClosedOutput } from './channels/cli/closed-output.ts'
import { COMMANDS, usage } from './channels/cli/commands.ts'
import { reportFailure } from './channels/cli/failure.ts'
import { VERSION } from './platform/version.ts'

ignoreClosedOutput(process.stdout, process.stderr)

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined

if (name === '--version' || name === '-v') process.stdout.write(`${VERSION}\n`)
else if (command === undefined) {
  const wantsHelp = ['help', '--help', '-h'].includes(name)
  const text = wantsHelp ? usage() : `There is no command "${name}".\n\n${usage()}`
  ;(wantsHelp ? process.stdout : process.stderr).write(text)
  process.exitCode = wantsHelp ? 0 : 2
} else {
  try {
    const loaded = await command.load()
    process.exitCode = await loaded.run(args)
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}
