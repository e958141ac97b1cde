#!/usr/bin/env node
// The command line, from any folder. Paths in its arguments are relative to the folder it is called in.
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = process.argv[1]
// `npm run knowledge` changes to the project's folder, and keeps the folder of the call in INIT_CWD.
const viaScript = process.env.npm_lifecycle_event === 'knowledge'
process.env.KNOWLEDGE_CWD = (viaScript && process.env.INIT_CWD) || process.cwd()
process.env.KNOWLEDGE_CALLED_AS = viaScript ? 'npm run knowledge --' : directCall()
process.argv.splice(2, 0, fileURLToPath(new URL('../src/main.ts', import.meta.url)))
await import('../scripts/run.mjs')

/** The program's name in messages, so that a suggested command works in the folder of the call. */
function directCall() {
  if (basename(script) === 'knowledge') return process.env.npm_lifecycle_event === 'npx' ? 'npx knowledge' : 'knowledge'
  const near = relative(process.cwd(), script)
  const path = near.startsWith('..') ? script : near
  return process.platform === 'win32' ? `node ${path}` : path.includes('/') ? path : `./${path}`
}
