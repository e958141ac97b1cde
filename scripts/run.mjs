// `npm start`, `npm test` and the rest come through here: install what is missing, then run with the project's Node.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { compileCache, prepare, root } from './runtime.mjs'

const dev = process.argv[2] === '--dev'
const args = process.argv.slice(dev ? 3 : 2)
const node = prepare({ dev })
const child = spawn(node, args, {
  cwd: process.env.KNOWLEDGE_CWD ?? root,
  stdio: 'inherit',
  env: {
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal)
  else process.exit(code ?? 1)
})
