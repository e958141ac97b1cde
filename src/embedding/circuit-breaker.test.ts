import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CircuitBreaker } from './circuit-breaker.ts'

function breaker() {
  const clock = { ms: 0 }
  const options = { failuresMax: 3, openMs: 1_000, openMaxMs: 4_000, now: () => clock.ms }
  return { clock, circuit: new CircuitBreaker(options) }
}

function fail(circuit: CircuitBreaker, times: number): void {
  for (let i = 0; i < times; i++) {
    const permit = circuit.enter()
    assert.ok(typeof permit === 'string')
    circuit.leave(permit, 'failure')
  }
}

test('failures in a row open the circuit, and a success starts the count again', () => {
  const { circuit } = breaker()
  fail(circuit, 2)
  circuit.leave('call', 'success')
  fail(circuit, 2)
  assert.equal(circuit.state, 'closed')
  fail(circuit, 1)
  assert.equal(circuit.state, 'open')
  assert.equal(circuit.enter(), 1_000)
})

test('an open circuit lets one probe through when its time is up, and closes if the probe succeeds', () => {
  const { circuit, clock } = breaker()
  fail(circuit, 3)
  clock.ms = 999
  assert.equal(circuit.enter(), 1)
  clock.ms = 1_000
  assert.equal(circuit.state, 'half-open')
  assert.equal(circuit.enter(), 'probe')
  assert.equal(typeof circuit.enter(), 'number')
  circuit.leave('probe', 'success')
  assert.equal(circuit.state, 'closed')
  fail(circuit, 2)
  assert.equal(circuit.state, 'closed')
})

test('each failed probe doubles how long the circuit stays open, up to the maximum', () => {
  const { circuit, clock } = breaker()
  fail(circuit, 3)
  for (const openMs of [1_000, 2_000, 4_000, 4_000]) {
    assert.equal(circuit.enter(), openMs)
    clock.ms += openMs
    assert.equal(circuit.enter(), 'probe')
    circuit.leave('probe', 'failure')
  }
})

test('if the caller of a probe gives up, the next call is the probe', () => {
  const { circuit, clock } = breaker()
  fail(circuit, 3)
  clock.ms = 1_000
  assert.equal(circuit.enter(), 'probe')
  circuit.leave('probe', 'abandoned')
  assert.equal(circuit.enter(), 'probe')
})

test('calls that started before the circuit opened change nothing when they end', () => {
  const { circuit } = breaker()
  fail(circuit, 3)
  circuit.leave('call', 'success')
  circuit.leave('call', 'failure')
  assert.equal(circuit.enter(), 1_000)
})
