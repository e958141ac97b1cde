import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { concessionsFor, OwnerShares } from './shares.ts'

const shares = (entries: Readonly<Record<string, number>>): Map<string, number> => new Map(Object.entries(entries))

test('whoever takes most gives way, down to what the next one takes, and then both', () => {
  const taken = shares({ ann: 1_000, bob: 600, eve: 10 })
  const eve = { owner: 'eve', bytes: 5 }
  assert.deepEqual(concessionsFor(taken, eve, 300), shares({ ann: 300 }))
  assert.deepEqual(concessionsFor(taken, eve, 600), shares({ ann: 500, bob: 100 }))
})

test('the document of the owner who takes most is the one that is left out', () => {
  const taken = shares({ ann: 1_000, bob: 600 })
  assert.equal(concessionsFor(taken, { owner: 'ann', bytes: 5 }, 1), null)
  assert.equal(concessionsFor(taken, { owner: 'bob', bytes: 400 }, 1), null)
  assert.notEqual(concessionsFor(taken, { owner: 'bob', bytes: 390 }, 1), null)
})

test('nothing is given up in vain: where it would not be enough, the document is left out', () => {
  assert.equal(concessionsFor(shares({ ann: 1_000 }), { owner: 'eve', bytes: 900 }, 200), null)
  assert.equal(concessionsFor(shares({}), { owner: 'eve', bytes: 900 }, 200), null)
})

test('without a document, any owner gives up as much as there is', () => {
  assert.deepEqual(concessionsFor(shares({ ann: 100 }), null, 60), shares({ ann: 60 }))
  assert.equal(concessionsFor(shares({ ann: 100 }), null, 101), null)
})

test('those who give way never end below others, and give as much as was missing', () => {
  const owners = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 1_000 }))
  const property = fc.property(owners, fc.nat(500), fc.integer({ min: 1, max: 800 }), (taken, bytes, lack) => {
    const document = { owner: 'a', bytes }
    const concessions = concessionsFor(shares(taken), document, lack)
    if (concessions === null) return
    const after = new Map(Object.entries(taken).map(([owner, own]) => [owner, own - (concessions.get(owner) ?? 0)]))
    const own = (taken.a ?? 0) + bytes
    let sum = 0
    for (const [owner, given] of concessions) {
      sum += given
      assert.ok(owner !== 'a' && given > 0 && after.get(owner)! >= own - 1e-6)
      for (const [other, left] of after) if (other !== 'a') assert.ok(left <= after.get(owner)! + 1e-6)
    }
    assert.ok(Math.abs(sum - lack) < 1e-6)
  })
  fc.assert(property)
})

test('what owners take is known by name and by number', () => {
  const owners = new OwnerShares()
  const [ann, bob] = [owners.numberOf('ann'), owners.numberOf('bob')]
  owners.add(ann, 10)
  owners.add(bob, 5)
  owners.add(owners.numberOf('ann'), 7)
  owners.add(bob, -5)
  assert.deepEqual([...owners], [['ann', 17]])
  assert.deepEqual([owners.bytesOf('ann'), owners.bytesOf('bob'), owners.bytesOf('nobody')], [17, 0, 0])
})
