import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import {
  connect as connectTls,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls'
import { HANG_MS, until } from '../../../test/support/patience.ts'
import { createSealedServer, sealedLine } from './sealed-line.ts'

const KEY = Buffer.alloc(32, 1)
const OTHER_KEY = Buffer.alloc(32, 2)
const BOUNDED = { timeout: HANG_MS }
/** A certificate for 127.0.0.1, made for this test. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBiTCCATCgAwIBAgIUA3iuYB+cG5/s5LWnknx1rVkronIwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGbm9ib2R5MCAXDTI2MTEyMzE1NTcwOFoYDzIxMjYxMDMwMTU1
NzA4WjARMQ8wDQYDVQQDDAZub2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAS2ZUdAWALEnkEVWvANfiQif9HJO9VNseTEeiks6NERnWfvcFQ804HyuJkG9N1G
vTB6fKZ9d4uwYp1eNI7KVO/Qo2QwYjAdBgNVHQ4EFgQUWfraPq3wzr4tmBZ1+KSs
T7S8KOQwHwYDVR0jBBgwFoAUWfraPq3wzr4tmBZ1+KSsT7S8KOQwDwYDVR0TAQH/
BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQCIDP6XjN1
Yk/UI9NTkSOnwE7r8I1/o/K/43XmN04JViQqAiAKyH7Ulsoo6RZRnDtGc/Uber3c
kY6hjvs1gHYpNwz5zA==
-----END CERTIFICATE-----
`
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgk2ndhSJbWyB2IYy4
T9y41D8yq0euuh6H8f18wXWUeXOhRANCAAS2ZUdAWALEnkEVWvANfiQif9HJO9VN
seTEeiks6NERnWfvcFQ804HyuJkG9N1GvTB6fKZ9d4uwYp1eNI7KVO/Q
-----END PRIVATE KEY-----
`

describe('Connections between machines', () => {
  test('two ends with the same key understand each other, over a key exchange that only this connection has', async (t) => {
    const { port, server } = await sealed(t)
    server.on('secureConnection', (socket) => socket.end('hello'))
    const socket = sealedLine({ host: '127.0.0.1', port }, KEY).open() as TLSSocket
    const [said] = (await once(socket, 'data')) as [Buffer]
    assert.equal(said.toString(), 'hello')
    assert.equal(socket.getProtocol(), 'TLSv1.3')
    // Without a key exchange the info would be empty, and the shared key would decrypt a recorded connection.
    assert.notDeepEqual(socket.getEphemeralKeyInfo(), {})
    socket.destroy()
  })

  test('an end with another key is refused before anything is sent to it, and both ends learn why', async (t) => {
    const { port, server, strangers } = await sealed(t)
    const reached: Socket[] = []
    server.on('secureConnection', (socket) => reached.push(socket))
    const line = sealedLine({ host: '127.0.0.1', port }, OTHER_KEY)
    for (let i = 0; i < 3; i++) {
      const socket = line.open()
      socket.on('secureConnect', () => assert.fail('it was let in'))
      const error = await failureOf(socket)
      assert.equal(line.isOtherKey(error), true, error.message)
    }
    assert.deepEqual(reached, [])
    assert.deepEqual(strangers, ['127.0.0.1'], 'told of once')
  })

  test('a server with a certificate is no process of the installation, also where it is trusted or certificates are not checked', async (t) => {
    trustForNow(t)
    const received: Buffer[] = []
    const impostor = createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => received.push(chunk))
    })
    const port = await listening(t, impostor)
    for (const checked of ['1', '0']) {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = checked
      const socket = sealedLine({ host: '127.0.0.1', port }, KEY).open()
      socket.on('secureConnect', () => socket.destroy(new Error('it was believed')))
      socket.write('a search')
      assert.doesNotMatch((await failureOf(socket)).message, /believed/)
    }
    assert.deepEqual(received, [])
  })

  test('a client without the key gets in with no older TLS, no other name and no certificate', async (t) => {
    const { port, server } = await sealed(t)
    server.on('secureConnection', () => assert.fail('it was let in'))
    const psk = (identity: string) => ({ pskCallback: () => ({ psk: KEY, identity }) })
    for (const options of [
      { ...psk('knowledge-search'), maxVersion: 'TLSv1.2', ciphers: 'ECDHE-PSK-CHACHA20-POLY1305' } as const,
      psk('another name'),
      { cert: CERTIFICATE, key: PRIVATE_KEY },
    ]) {
      const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
      await failureOf(socket)
    }
  })

  test('a client that says something else is gone at once', BOUNDED, async (t) => {
    const { port } = await sealed(t, 2 * HANG_MS)
    for (const text of ['GET / HTTP/1.1\r\n\r\n', '\u0016'.repeat(100)]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(text)
      await once(socket, 'close')
    }
  })

  test(
    'a client that says nothing is gone after a while, and a server that answers nothing is given up',
    BOUNDED,
    async (t) => {
      const { port } = await sealed(t, 50)
      const mutePort = await listening(
        t,
        createPlainServer((socket) => socket.on('error', () => undefined)),
      )
      const silent = connect(port, '127.0.0.1').resume()
      const unanswered = sealedLine({ host: '127.0.0.1', port: mutePort }, KEY, 50).open()
      const [failure] = await Promise.all([failureOf(unanswered), once(silent, 'close')])
      assert.equal((failure as { code?: string }).code, 'ETIMEDOUT')
    },
  )

  test('many clients that say nothing keep no client out that has the key', BOUNDED, async (t) => {
    const { port, server } = await sealed(t, 2 * HANG_MS)
    server.on('secureConnection', (socket) => socket.pipe(socket))
    const closed = new Set<number>()
    const comeSilent = async (from: number): Promise<void> => {
      for (let i = from; i < from + 100; i++) {
        const silent = connect(port, '127.0.0.1').resume()
        silent.on('error', () => undefined)
        silent.on('close', () => closed.add(i))
        t.after(() => silent.destroy())
        await once(silent, 'connect')
      }
    }
    await comeSilent(0)
    const socket = sealedLine({ host: '127.0.0.1', port }, KEY).open()
    await once(socket, 'secureConnect')
    await until(() => closed.size >= 100 - 64, 'the first ones have made room')
    assert.ok(closed.has(0) && !closed.has(99))
    // A client that has the key is not among those that make room.
    await comeSilent(100)
    await until(() => closed.size >= 200 - 64, 'more of them have made room')
    socket.write('still here')
    const [echo] = (await once(socket, 'data')) as [Buffer]
    assert.equal(echo.toString(), 'still here')
    socket.destroy()
  })

  test('a name that does not exist is an outage as any other', async () => {
    const socket = sealedLine({ host: 'nobody.invalid', port: 9_400 }, KEY).open()
    const { code } = (await failureOf(socket)) as { code?: string }
    assert.match(code ?? '', /^(?:ENOTFOUND|EAI_AGAIN)$/)
  })
})

/** Makes this process trust the certificate until the test ends, and restores the setting that checks certificates. */
function trustForNow(t: TestContext): void {
  const authorities = getCACertificates('default')
  setDefaultCACertificates([CERTIFICATE])
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  t.after(() => {
    setDefaultCACertificates(authorities)
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
}

/** Starts a sealed server. @param handshakeMs how long it waits for a client that says nothing */
async function sealed(t: TestContext, handshakeMs?: number) {
  const strangers: string[] = []
  const server = createSealedServer(KEY, (address) => strangers.push(address), handshakeMs)
  return { server, strangers, port: await listening(t, server) }
}

async function listening(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** Returns the error that closed the socket. */
async function failureOf(socket: Socket): Promise<Error> {
  const [error] = (await once(socket, 'error')) as [Error]
  return error
}
