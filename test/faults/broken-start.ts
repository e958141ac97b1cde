// Run as a process of its own: a start that fails where the app is made, after everything else was opened. The process
// ends by itself only when nothing of that is left open.
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/server.ts'

const config = Object.defineProperty({ ...readConfig(process.env) }, 'connectionsPerAddress', {
  get: () => {
    throw new Error('no app in this test')
  },
})
try {
  await startService(config)
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
