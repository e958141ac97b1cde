import { ProcessPort } from '../../src/platform/processes/process-port.ts'

// A process that a test's supervisor runs. It serves at once and until it is told to end; with `hangs` it never serves.
const port = ProcessPort.open()!
process.channel!.ref()
if (!process.argv.includes('hangs')) port.tellServing()
await port.ending
process.exit(0)
