#!/usr/bin/env node
// The command line, from any folder: paths in its arguments mean the folder it was called in.
import { fileURLToPath } from 'node:url'

// `npm run knowledge` moves to the project's folder and says in INIT_CWD where it came from.
const viaScript = process.env.npm_lifecycle_event === 'knowledge'
process.env.KNOWLEDGE_CWD = (viaScript && process.env.INIT_CWD) || process.cwd()
process.argv.splice(2, 0, fileURLToPath(new URL('../src/main.ts', import.meta.url)))
await import('../scripts/run.mjs')
