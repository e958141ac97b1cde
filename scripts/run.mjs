// Every npm script runs through this file. It installs missing dependencies, then runs the script with the project's
// Node.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { compileCache, MALLOC_SETTINGS, prepare, root } from './runtime.mjs'

const dev = process.argv[2] === '--dev'
const args = process.argv.slice(dev ? 3 : 2)
// Read first: our caller may end during the installation.
const caller = process.ppid
const node = prepare({ dev })
const child = spawn(node, args, {
  cwd: process.env.KNOWLEDGE_CWD ?? root,
  stdio: 'inherit',
  env: {
    NODE_COMPILE_CACHE: compileCache,
    ...MALLOC_SETTINGS,
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  },
})
let isStopping = false
function stop(signal) {
  isStopping = true
  child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
// Asks a service of several processes to replace them. Windows does not have it.
if (process.platform !== 'win32') process.on('SIGUSR2', () => child.kill('SIGUSR2'))
// npm calls us through a shell. Many shells die of npm's signal without passing it on, and the service would run on
// after npm was stopped. So the end of the shell counts as SIGTERM, unless we got a signal ourselves.
if (process.env.npm_package_json === join(root, 'package.json')) {
  const watch = setInterval(() => {
    if (process.ppid === caller) return
    clearInterval(watch)
    if (!isStopping) stop('SIGTERM')
  }, 200)
  watch.unref()
}
child.on('exit', (code, signal) => {
  if (signal) {
    // Otherwise our own listener would take it, and we would end as if all had gone well.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  } else process.exit(code ?? 1)
})
