import { ProcessPort } from '../../src/platform/processes/process-port.ts'

// A process that a test's supervisor runs. It serves at once and until it is told to end; with `hangs` it never serves,
// with `scrapes` it has fifty requests for the metrics before.
const port = ProcessPort.open()!
process.channel!.ref()
if (process.argv.includes('scrapes')) for (let i = 0; i < 50; i++) void port.scrape()
if (!process.argv.includes('hangs')) port.tellServing()
await port.ending
process.exit(0)
