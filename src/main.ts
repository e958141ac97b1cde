import { ignoreClosedOutput } from './channels/cli/closed-output.ts'
import { CALL_OF_PROCESS } from './channels/cli/command-call.ts'
import { runCommand } from './channels/cli/run-command.ts'

ignoreClosedOutput(process.stdout, process.stderr)
process.exitCode = await runCommand(process.argv.slice(2), CALL_OF_PROCESS)
