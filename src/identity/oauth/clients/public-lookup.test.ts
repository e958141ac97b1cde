import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNameServer } from '../../../../test/support/name-server.ts'
import { lookUpPublic } from './public-lookup.ts'

test('a name resolves to what the name servers answer, even if for IPv4 or IPv6 alone', async (t) => {
  const server = await startNameServer(({ name, type }) => {
    if (name === 'four.example') return type === 'A' ? ['1.1.1.1'] : []
    if (name === 'six.example') return type === 'AAAA' ? ['2606:4700::1111'] : []
    if (name === 'half.example') return type === 'A' ? ['1.1.1.1'] : null
    return type === 'A' ? ['1.1.1.1'] : ['2606:4700::1111']
  })
  t.after(() => server.close())
  const find = (name: string) => lookUpPublic(name, { servers: [server.address] })
  const [four, six] = [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]
  assert.deepEqual(await find('four.example'), [four])
  assert.deepEqual(await find('six.example'), [six])
  assert.deepEqual(await find('both.example'), [four, six])
  assert.deepEqual(await find('half.example'), [four])
})

test('a name with many addresses is connected to by at most two of IPv4 and two of IPv6', async (t) => {
  const server = await startNameServer(({ type }) =>
    Array.from({ length: 9 }, (_, i) => (type === 'A' ? `1.1.1.${i + 1}` : `2606:4700::${i + 1}`)),
  )
  t.after(() => server.close())
  const addresses = await lookUpPublic('many.example', { servers: [server.address] })
  assert.deepEqual(
    addresses.map(({ family }) => family),
    [4, 4, 6, 6],
  )
})

test('a name with an internal address beside public ones is refused, and so is one without an address', async (t) => {
  const server = await startNameServer(({ name, type }) => {
    if (name === 'none.example') return []
    if (type === 'AAAA') return name === 'six.example' ? ['2606:4700::1111', '::1'] : []
    return name === 'six.example' ? ['1.1.1.1'] : ['1.1.1.1', '10.0.0.1']
  })
  t.after(() => server.close())
  const find = (name: string) => lookUpPublic(name, { servers: [server.address] })
  await assert.rejects(find('four.example'), { message: 'the address is not public' })
  await assert.rejects(find('six.example'), { message: 'the address is not public' })
  await assert.rejects(find('none.example'), { message: 'the name has no address' })
})

test('no name server is asked about an IP address or localhost', async (t) => {
  const server = await startNameServer(() => ['1.1.1.1'])
  t.after(() => server.close())
  const options = { servers: [server.address] }
  for (const host of ['localhost', 'LOCALHOST.', 'app.localhost', '127.0.0.1', '::1', '::ffff:7f00:1']) {
    await assert.rejects(lookUpPublic(host, options), { message: 'the address is not public' }, host)
  }
  assert.deepEqual(await lookUpPublic('1.1.1.1', options), [{ address: '1.1.1.1', family: 4 }])
  assert.deepEqual(await lookUpPublic('2606:4700::1', options), [{ address: '2606:4700::1', family: 6 }])
  assert.deepEqual(server.questions, [])
})

test('an aborted look-up ends and asks its name servers no more', async (t) => {
  const breaking = new AbortController()
  // Never answers, and the look-up is aborted after the second question.
  const server = await startNameServer(() => {
    if (server.questions.length === 2) breaking.abort(new Error('enough'))
    return null
  })
  t.after(() => server.close())
  const options = { signal: breaking.signal, servers: [server.address] }
  await assert.rejects(lookUpPublic('silent.example', options), { message: 'enough' })
  assert.deepEqual(server.questions.map(({ type }) => type).toSorted(), ['A', 'AAAA'])
  await assert.rejects(lookUpPublic('other.example', options), { message: 'enough' })
  assert.equal(server.questions.length, 2)
})
