#!/usr/bin/env node
// The command line, from any folder: paths in its arguments mean the folder it was called in.
import { fileURLToPath } from 'node:url'

process.env.KNOWLEDGE_CWD = process.cwd()
process.argv.splice(2, 0, fileURLToPath(new URL('../src/main.ts', import.meta.url)))
await import('../scripts/run.mjs')
