import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOTH_ID, STATIC_ID } from '../../../embedding/builtin/ids.ts'
import { NO_READER } from '../../../embedding/contextual/no-reader.ts'
import type { TextReader } from '../../../embedding/contextual/reader.ts'
import { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { EmbeddingUnavailable } from '../../../embedding/embedder.ts'
import type { Database } from '../../../platform/database/database.ts'
import { lineOf } from './check.ts'
import { judgeEmbedder } from './embedder-check.ts'

/** Returns the lines about an embedder of the built-in models that has this reader. */
async function linesWith(reader: TextReader, model: string | null = null): Promise<string[]> {
  const settings = { provider: 'builtin', url: null, model, apiKey: null, dimensions: null }
  const pool = new EmbedderPool(settings, undefined, undefined, undefined, reader)
  // The ids of these models say how long their vectors are, so no stored vector is looked at.
  const findings = await judgeEmbedder(null as unknown as Database, pool)
  return findings.map((finding) => lineOf('embedding', finding))
}

const REMEDY = 'to do without it, set EMBEDDING_MODEL=static-de-en-v2'

test('a model that reads is asked twice, so that the time is that of a running service', async () => {
  let asked = 0
  const read = async () => {
    asked++
    return { vectors: [new Float32Array(384)], tokens: 1 }
  }
  const [line, ...others] = await linesWith({ ...NO_READER, absence: null, trouble: null, read })
  assert.match(line, new RegExp(`^ok +embedding +${RegExp.escape(BOTH_ID)} answers in \\d+ ms$`))
  assert.deepEqual([others, asked], [[], 2])
})

test('a runtime that is missing, and a model that cannot be loaded, are told with their remedy', async () => {
  const missing = await linesWith({ ...NO_READER, absence: 'it is not installed', trouble: 'it is not installed' })
  assert.equal(missing.length, 2)
  assert.ok(missing[0].startsWith(`ok    embedding   ${STATIC_ID} answers`))
  assert.match(missing[1], /^warn  embedding   the contextual model cannot be loaded: it is not installed\. /)
  const read = () => Promise.reject(new EmbeddingUnavailable('cannot'))
  const broken = await linesWith({ ...NO_READER, absence: null, trouble: 'no memory', read })
  assert.match(broken.join(), /^warn  embedding   the contextual model cannot be loaded: no memory\. /)
  for (const lines of [missing, broken]) assert.ok(lines.at(-1)?.endsWith(REMEDY))
})

test('who has chosen the static model is told nothing of one that reads', async () => {
  const lines = await linesWith(NO_READER, 'static-de-en-v2')
  assert.equal(lines.length, 1)
  assert.ok(lines[0].startsWith('ok '))
})
