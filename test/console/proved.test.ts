import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ApiFault } from '../../console/src/api/client.ts'
import { proved, waitingChange } from '../../console/src/api/proved.ts'

const faultOf = (type: string) =>
  new ApiFault(new Response(null, { status: 403 }), [{ loc: ['body', 'confirmation'], msg: '', type }])

/** Makes a change that wants a proof, and refuses wrong ones. */
const change = (name: string, made: string[]) =>
  proved({ kind: 'invited', name }, async (proof) => {
    if (proof === undefined) throw faultOf('proof_needed')
    if (proof.password !== 'right') throw faultOf('proof_wrong')
    made.push(name)
    return name
  })

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Listens, as the frame of the pages does; without a listener nobody is asked. */
function listen(t: TestContext): void {
  t.after(waitingChange.subscribe(() => undefined))
}

test('changes that wait for a proof at the same time are asked for in turn, and none is lost', async (t) => {
  listen(t)
  const made: string[] = []
  const both = [change('first', made), change('second', made)]
  await settled()
  const first = waitingChange.read()!
  assert.deepEqual(first.act, { kind: 'invited', name: 'first' }, 'each says what it does')
  await first.prove({ password: 'right' })
  assert.deepEqual(made, ['first'])
  const second = waitingChange.read()!
  assert.notEqual(second.id, first.id)
  await second.prove({ password: 'right' })
  assert.equal(waitingChange.read(), null)
  assert.deepEqual(await Promise.all(both), ['first', 'second'])
})

test('a wrong proof is asked for again, and giving up ends that change alone', async (t) => {
  listen(t)
  const made: string[] = []
  const [first, second] = [change('first', made), change('second', made)]
  await settled()
  const asked = waitingChange.read()!
  await assert.rejects(asked.prove({ password: 'wrong' }), (error: ApiFault) => error.is('proof_wrong'))
  assert.equal(waitingChange.read(), asked)
  asked.cancel()
  await assert.rejects(first, (error: ApiFault) => error.is('proof_needed'))
  await waitingChange.read()!.prove({ password: 'right' })
  assert.equal(await second, 'second')
  assert.deepEqual(made, ['second'])
})
