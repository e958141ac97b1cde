/**
 * Measures what the built-in models make of texts that have nothing in common, and writes the figures from which their
 * scales follow. With `--check` it compares the figures and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from '../src/embedding/builtin/ids.ts'
import { createBuiltin } from '../src/embedding/builtin/provider.ts'
import { ContextualReader } from '../src/embedding/contextual/contextual-reader.ts'
import { BUILTIN_COSINES } from '../src/embedding/scale/builtin-cosines.ts'
import { measureUnrelated } from '../src/embedding/scale/measure.ts'
import type { UnrelatedCosines } from '../src/embedding/scale/scale.ts'
import { readOptions } from './options.ts'

const FILE = fileURLToPath(new URL('../src/embedding/scale/builtin-cosines.ts', import.meta.url))
/** Most by which a figure differs between processors, which round the runs of a quantised model differently. */
const TOLERANCE = 0.002

const { check } = readOptions({ options: { check: { type: 'boolean', default: false } } })

const reader = new ContextualReader({
  threads: 1,
  log: { warn: (_details, message) => process.stderr.write(`${message}\n`) },
})
const measured = new Map<string, UnrelatedCosines>()
for (const id of [STATIC_ID, CONTEXTUAL_ID, BOTH_ID]) {
  measured.set(id, await measureUnrelated(createBuiltin(id, reader)!))
}
await reader.close()

if (check) {
  for (const [id, { mean, spread }] of measured) {
    const { [id]: known } = BUILTIN_COSINES
    if (Math.abs(known.mean - mean) < TOLERANCE && Math.abs(known.spread - spread) < TOLERANCE) continue
    process.stderr.write(`${id} has mean ${mean} and spread ${spread}: run npm run model-scales\n`)
    process.exitCode = 1
  }
} else {
  const lines = Array.from(measured, ([id, { mean, spread }]) => {
    return `  '${id}': { mean: ${mean.toFixed(5)}, spread: ${spread.toFixed(5)} },`
  })
  writeFileSync(
    FILE,
    `/** Written by \`npm run model-scales\`: what the built-in models make of texts that have nothing in common. */
import type { UnrelatedCosines } from './scale.ts'

export const BUILTIN_COSINES: Readonly<Record<string, UnrelatedCosines>> = {
${lines.join('\n')}
}
`,
  )
}
