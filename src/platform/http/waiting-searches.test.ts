import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { type Fault, unauthorized } from '../faults.ts'
import { runSearch } from './waiting-searches.ts'

const TEXTS = { watermark: 1, waitMs: 60_000, isPartial: false }

function callerWith(fields: Partial<Caller> = {}): Caller {
  const tenant = { id: 't', settings: { workspaces: true } } as Caller['tenant']
  const plain = { tenant, userId: 'u', credentialId: 'k', scopes: new Set(), ceiling: 'internal', workspaceIds: [] }
  return { ...(plain as unknown as Caller), ...fields }
}

function requestOf(caller: Caller, renewCaller = async () => caller, ip = '192.0.2.1'): FastifyRequest {
  return { caller, ip, renewCaller } as FastifyRequest
}

/** Returns a clock by which a search takes so many milliseconds. */
function lasting(ms: number): { readonly now: () => number } {
  let calls = 0
  return { now: () => ms * calls++ }
}

test('a search that is answered soon does not look its caller up again', async () => {
  const request = requestOf(callerWith(), () => assert.fail('looked up'))
  assert.equal(await runSearch(request, request.caller, async () => 'answer', lasting(999)), 'answer')
})

test('a search that has waited is answered only to a caller that may still see the same', async () => {
  const search = async () => 'answer'
  const outcomeOf = async (renew: () => Promise<Caller>): Promise<unknown> => {
    const request = requestOf(callerWith(), renew)
    return runSearch(request, request.caller, search, lasting(1_000)).catch((error: Fault) => error.kind)
  }
  const renewals = [
    [async () => callerWith(), 'answer'],
    [() => Promise.reject(unauthorized([], 'The key is revoked')), 'unauthorized'],
    [async () => callerWith({ ceiling: 'public' }), 'unavailable'],
    [async () => callerWith({ workspaceIds: ['w'] }), 'unavailable'],
    [async () => callerWith({ scopes: new Set(['knowledge:read']) }), 'unavailable'],
  ] as const
  for (const [renew, outcome] of renewals) assert.equal(await outcomeOf(renew), outcome)
})

test('a credential has a bounded number of searches that wait for writes, and visitors of a page each have theirs', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const begin = (caller: Caller, ip?: string) => {
    const request = requestOf(caller, undefined, ip)
    return runSearch(request, caller, () => promise)
  }
  const naming = callerWith({ texts: TEXTS })
  const waiting = Array.from({ length: 256 }, () => begin(naming))
  await assert.rejects(begin(naming), { kind: 'rate_limited' })
  const others = [begin(callerWith()), begin(callerWith({ texts: TEXTS, credentialId: 'other' }))]
  const subscriber = callerWith({ texts: TEXTS, credentialId: 'page', publishable: { siteIds: null, origins: [] } })
  waiting.push(...Array.from({ length: 256 }, (_, n) => begin(subscriber, `2001:db8::${n + 1}`)))
  await assert.rejects(begin(subscriber, '2001:db8::abcd'), { kind: 'rate_limited' })
  const visitors = callerWith({ texts: TEXTS, credentialId: 'page', publishable: { siteIds: null, origins: [] } })
  others.push(...Array.from({ length: 257 }, (_, n) => begin(visitors, `192.0.2.${n % 2}`)))
  resolve('answer')
  await Promise.all([...waiting, ...others])
  assert.equal(await begin(naming), 'answer')
})
