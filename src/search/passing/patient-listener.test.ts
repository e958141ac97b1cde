import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/support/patience.ts'
import { ConfigError } from '../../config.ts'
import type { EngineForRequests } from '../engine.ts'
import { HolderServer } from './holder-server.ts'
import { PatientListener } from './patient-listener.ts'
import { sealedLine } from './sealed-line.ts'

const KEY = Buffer.alloc(32, 1)
const IDENTITY = { form: 'same', instance: 'this' }

function listening(host: string, port: number): Promise<PatientListener> {
  const engine = {} as EngineForRequests
  const sealing = { key: KEY, onOtherKey: () => undefined }
  const listen = (): Promise<HolderServer> =>
    HolderServer.listenSealed({ host, port }, sealing, engine, IDENTITY, Promise.resolve())
  return PatientListener.open(listen, () => undefined)
}

test('an address that a predecessor still has is taken as soon as it is left', async (t) => {
  const predecessor = createServer().listen(0, '127.0.0.1')
  await once(predecessor, 'listening')
  const { port } = predecessor.address() as AddressInfo
  const listener = await listening('127.0.0.1', port)
  t.after(() => listener.close())
  predecessor.close()
  await until(async () => {
    const socket = sealedLine({ host: '127.0.0.1', port }, KEY).open()
    const isOpen = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, 'the successor listens')
})

test('a listener that is closed while it waits does not listen later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const predecessor = createServer().listen(0, '127.0.0.1')
  await once(predecessor, 'listening')
  const { port } = predecessor.address() as AddressInfo
  await (await listening('127.0.0.1', port)).close()
  predecessor.close()
  await once(predecessor, 'close')
  t.mock.timers.tick(700)
  const free = createServer().listen(port, '127.0.0.1')
  t.after(() => free.close())
  await once(free, 'listening')
})

test('an address that this machine does not have stops the start, with the setting', async () => {
  await assert.rejects(listening('192.0.2.1', 9_400), (error: ConfigError) => {
    assert.ok(error instanceof ConfigError)
    assert.deepEqual(error.lines, ['SEARCH_LISTEN must be an address that this process can listen on (EADDRNOTAVAIL)'])
    return true
  })
})
