import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from './builtin/ids.ts'
import { BUILTIN_IDS, installedModels, targetModel } from './target-model.ts'

const OUTSIDE = 'openai:nomic:default'
const builtin = installedModels({ provider: 'builtin' }, BOTH_ID)
const outside = installedModels({ provider: 'openai' }, OUTSIDE)

test('a tenant gets the model that it has chosen, whatever it searches with and whatever is configured', () => {
  for (const installed of [builtin, outside])
    for (const model of [null, OUTSIDE, ...BUILTIN_IDS])
      for (const choice of BUILTIN_IDS) assert.equal(targetModel({ model, choice }, installed), choice)
})

test('a tenant without a choice keeps its built-in model while the built-in ones are configured', () => {
  for (const model of BUILTIN_IDS) assert.equal(targetModel({ model, choice: null }, builtin), model)
})

test('a tenant without a choice gets the configured model for its first vectors, and in the place of a provider’s', () => {
  for (const model of [null, OUTSIDE, 'builtin:static-de-en-v1:256'])
    assert.equal(targetModel({ model, choice: null }, builtin), BOTH_ID)
})

test('a tenant without a choice moves to the model of a provider that the operator configures', () => {
  for (const model of [null, STATIC_ID, CONTEXTUAL_ID, BOTH_ID, 'openai:other:default', OUTSIDE])
    assert.equal(targetModel({ model, choice: null }, outside), OUTSIDE)
})
