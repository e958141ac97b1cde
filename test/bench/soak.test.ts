import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { judgeSoak } from '../../bench/soak-report.ts'
import { type SoakRequest, Balancer, Failed } from '../../bench/soak/balancer.ts'
import { FAULTS, rotation } from '../../bench/soak/faults.ts'
import { SoakRecord } from '../../bench/soak/record.ts'
import { randomSource } from '../../bench/support/random.ts'

const READ: SoakRequest = { method: 'GET', path: '/', headers: {}, isRepeatable: true }
const WRITE: SoakRequest = { method: 'POST', path: '/', headers: {}, body: '{}', isRepeatable: false }

const well = (response: ServerResponse): unknown => response.end('well')
const busy = (response: ServerResponse): unknown => response.writeHead(503, { 'retry-after': '0' }).end()
const broken = (response: ServerResponse): unknown => response.destroy()

/**
 * Starts a balancer over processes with these answers.
 * @returns it, the number of requests that each process got, and their addresses
 */
async function balancerOver(t: TestContext, ...answers: ((response: ServerResponse) => unknown)[]) {
  const sent = answers.map(() => 0)
  const urls: string[] = []
  for (const [i, answer] of answers.entries()) {
    const server = createServer((request, response) => {
      if (request.url === '/readyz') return well(response)
      sent[i]++
      return answer(response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(() => server.close())
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  const balancer = new Balancer(urls)
  t.after(() => balancer.close())
  return { balancer, sent, urls }
}

describe('the balancer of the soak', () => {
  test('asks the other process when a read breaks off', async (t) => {
    const { balancer, sent } = await balancerOver(t, broken, well)
    assert.equal((await balancer.send(READ)).text, 'well')
    assert.deepEqual(sent, [1, 1])
  })

  test('never sends a write again that may have been read', async (t) => {
    const { balancer, sent } = await balancerOver(t, broken, well)
    await assert.rejects(balancer.send(WRITE), new Failed('connection broken'))
    assert.deepEqual(sent, [1, 0])
  })

  test('sends a write again that was refused with 503, which says that nothing was changed', async (t) => {
    const { balancer, sent } = await balancerOver(t, busy, well)
    assert.equal((await balancer.send(WRITE)).text, 'well')
    assert.deepEqual(sent, [1, 1])
  })

  test('sends a write elsewhere when no process listens at the address', async (t) => {
    const { balancer, sent } = await balancerOver(t, broken, well)
    balancer.move(0, 'http://127.0.0.1:1')
    assert.equal((await balancer.send(WRITE)).text, 'well')
    assert.deepEqual(sent, [0, 1])
  })
})

describe('the record of the soak', () => {
  test('expects failures of requests that a fault met, and no others', async () => {
    const record = new SoakRecord()
    const request = { kind: 'write', reason: 'answered 503', hungUp: false }
    const [before, during] = [performance.now() - 1_000, performance.now()]
    record.note({ ...request, dueMs: before - 100, endMs: before })
    await record.during('a fault', async () => undefined)
    record.note({ ...request, dueMs: before, endMs: during + 1_000 })
    record.note({ ...request, dueMs: during + 60_000, endMs: during + 60_001 })
    const { faults, kinds, unexpected } = record.figures
    assert.deepEqual(unexpected, { 'write: answered 503': 2 })
    assert.deepEqual(faults[0].failed, { 'write: answered 503': 1 })
    assert.equal(kinds[0].failed, 3)
  })

  test('counts a client that hung up neither as answered nor as failed', () => {
    const record = new SoakRecord()
    const request = { kind: 'read', dueMs: performance.now(), endMs: performance.now() + 5 }
    record.note({ ...request, reason: null, hungUp: true })
    record.note({ ...request, reason: null, hungUp: false })
    const [{ count, failed, hungUp }] = record.figures.kinds
    assert.deepEqual({ count, failed, hungUp }, { count: 1, failed: 0, hungUp: 1 })
  })

  test('fails the soak for a lost write, for a failure without a fault and for a fault that stays', () => {
    const wholly = { acknowledged: 2, present: 2, wrong: [] }
    const met = (...parameters: Parameters<typeof judgeSoak>) => judgeSoak(...parameters).map((each) => each.met)
    assert.deepEqual(met(wholly, {}, null), [true, true, true])
    assert.deepEqual(met({ ...wholly, wrong: ['one is not there'] }, {}, null), [false, true, true])
    assert.deepEqual(met(null, {}, null), [false, true, true])
    assert.deepEqual(met(wholly, { 'write: answered 500': 1 }, null), [true, false, true])
    assert.deepEqual(met(wholly, {}, 'it did not start'), [true, true, false])
  })
})

test('every fault of the soak comes once in a rotation, in an order that the seed decides', () => {
  const drawn = (seed: number) => {
    const faults = rotation(FAULTS, randomSource(seed))
    return Array.from({ length: FAULTS.length }, () => faults.next().value.name)
  }
  assert.deepEqual(drawn(3).toSorted(), FAULTS.map(({ name }) => name).toSorted())
  assert.deepEqual(drawn(3), drawn(3))
  assert.notDeepEqual(drawn(3), drawn(4))
})
