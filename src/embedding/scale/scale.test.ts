import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuiltinEmbedder } from '../builtin/builtin.ts'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from '../builtin/ids.ts'
import { BUILTIN_COSINES } from './builtin-cosines.ts'
import { measureUnrelated } from './measure.ts'
import { ModelScales } from './model-scales.ts'
import { builtinScale, scaleBy } from './scale.ts'
import { UNRELATED_PASSAGES, UNRELATED_QUESTIONS } from './unrelated-texts.ts'

const embedder = createBuiltinEmbedder()

/** Returns an embedder whose vectors are those of the static model, changed. */
function changed(change: (vector: Float32Array, text: string) => Float32Array): typeof embedder {
  return {
    ...embedder,
    embed: async (texts, purpose) =>
      (await embedder.embed(texts, purpose)).map((vector, i) => change(vector, texts[i])),
  }
}

test('the figures of the static model are those that ship, so its scale leaves cosines as they are', async () => {
  const { mean, spread } = await measureUnrelated(embedder)
  const shipped = BUILTIN_COSINES[STATIC_ID]
  assert.ok(Math.abs(mean - shipped.mean) < 1e-5 && Math.abs(spread - shipped.spread) < 1e-5, 'npm run model-scales')
  assert.deepEqual(builtinScale(STATIC_ID), { factor: 1, offset: 0 })
  for (const id of [CONTEXTUAL_ID, BOTH_ID]) {
    const { factor, offset } = builtinScale(id)!
    assert.ok(factor > 0.5 && factor < 2 && Math.abs(offset) < 0.2)
  }
})

test('a model that squeezes or shifts all cosines gets the scale that undoes it', async () => {
  const squeezed = (share: number) => (vector: Float32Array) =>
    Float32Array.of(...vector.map((component) => Math.sqrt(share) * component), Math.sqrt(1 - share))
  for (const share of [0.2, 0.5, 0.05]) {
    const { factor, offset } = scaleBy(await measureUnrelated(changed(squeezed(share))))
    for (const cosine of [0, 0.5, 1]) {
      const back = factor * (1 - share + share * cosine) + offset
      assert.ok(Math.abs(back - cosine) < 1e-3, `${cosine} became ${back}`)
    }
  }
})

test('a model that cannot tell texts apart, or knows none of them, has no scale', async () => {
  const fixed = changed(() => Float32Array.of(1, 0))
  await assert.rejects(measureUnrelated(fixed), /do not tell texts apart/)
  await assert.rejects(measureUnrelated(changed(() => new Float32Array(2))), /do not tell texts apart/)
})

test('texts of which a model knows nothing do not count', async () => {
  const expected = await measureUnrelated(embedder)
  const unknown = 'Is overtime paid or taken as time off?'
  const { mean, spread } = await measureUnrelated(
    changed((vector, text) => (text === unknown ? new Float32Array(vector.length) : vector)),
  )
  assert.ok(mean !== expected.mean && Math.abs(mean - expected.mean) < 0.005)
  assert.ok(Math.abs(spread - expected.spread) < 0.005)
})

test('the texts are questions and passages in both languages, none of them twice', () => {
  assert.equal(new Set([...UNRELATED_QUESTIONS, ...UNRELATED_PASSAGES]).size, 120)
  for (const passage of UNRELATED_PASSAGES) {
    const words = passage.split(/\s+/).length
    assert.ok(words >= 30 && words <= 80, `${words}: ${passage}`)
  }
})

test('a scale is read once, and one that is missing is looked for again after a while', async () => {
  const now = { ms: 0 }
  let reads = 0
  let cosines: { mean: number; spread: number } | null = null
  let isBroken = false
  const measuredOf = async () => {
    reads++
    if (isBroken) throw new Error('no database')
    return cosines
  }
  const scales = new ModelScales(measuredOf, () => now.ms)
  const identity = { factor: 1, offset: 0 }
  assert.deepEqual(await Promise.all([scales.of('m'), scales.of('m')]), [identity, identity])
  assert.equal(reads, 1)
  isBroken = true
  now.ms += 2_000
  assert.deepEqual(await scales.of('m'), identity)
  isBroken = false
  cosines = { mean: 0.83, spread: 0.02 }
  assert.deepEqual(await scales.of('m'), identity)
  now.ms += 2_000
  const scale = await scales.of('m')
  assert.deepEqual(scale, scaleBy(cosines))
  now.ms += 60_000
  assert.deepEqual(await scales.of('m'), scale)
  assert.equal(reads, 3)
})
