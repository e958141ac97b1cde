/**
 * Measures how fast an operator makes tenants over HTTP, each with settings and a key, by the example script, and what
 * one call for the usage of all of them takes.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { issueOperator } from '../src/identity/operators/rules.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { startServiceProcess } from './support/service-process.ts'
import { fixed } from './support/table.ts'

const TENANTS = 300
const WITHIN_SECONDS = 60
const LISTS = 20

const service = await startServiceProcess()
try {
  const database = openDatabase({ dataDir: service.dataDir, databaseUrl: null })
  const { key } = await issueOperator(database, { name: 'bench', expiresAt: null })
  await database.close()
  const file = join(service.dataDir, 'tenants.jsonl')
  const lines = Array.from({ length: TENANTS }, (_, i) =>
    JSON.stringify({ id: `t-${i}`, reference: `r-${i}`, settings: { language: 'en', bin_days: 7 } }),
  )
  writeFileSync(file, lines.join('\n'))
  const began = performance.now()
  execFileSync(process.execPath, ['examples/operator/create-tenants.mjs', service.url, file], {
    env: { PATH: process.env.PATH, KNOWLEDGE_OPERATOR_KEY: key },
  })
  const seconds = (performance.now() - began) / 1_000
  const took: number[] = []
  for (let i = 0; i < LISTS; i++) {
    const asked = performance.now()
    const answer = await fetch(`${service.url}/api/operator/usage`, { headers: { authorization: `Bearer ${key}` } })
    await answer.text()
    took.push(performance.now() - asked)
  }
  const median = took.toSorted((one, other) => one - other)[LISTS / 2]
  console.log(`${TENANTS} tenants with a key and settings: ${fixed(seconds, 1)} s (required: ${WITHIN_SECONDS} s)`)
  console.log(`the usage of all of them in one call: ${fixed(median, 1)} ms`)
  process.exitCode = seconds > WITHIN_SECONDS ? 1 : 0
} finally {
  await service.stop()
}
