import { setTimeout as sleep } from 'node:timers/promises'
import type { Abuser } from './abuser.ts'
import type { Scenario, ScenarioGroup } from './scenario.ts'

const MB = 1_024 * 1_024
const SLOW_CONNECTIONS = 200
const IDLE_CONNECTIONS = 1_000
const PIECE_CONNECTIONS = 250
/** Bytes of a body that a connection sends in chunks of one byte; on the wire it is six times as long. */
const PIECES_BYTES = 128 * 1_024

/** JSON whose only fault is at the end, and JSON that consists of faults. */
const badBodies = [
  `{"email":"${'a'.repeat(2 * MB - 100)}`,
  `[${'"\\ud800",'.repeat(Math.floor((2 * MB) / 9) - 20)}`,
  '{"a":'.repeat(400_000),
  '[1,'.repeat(600_000),
  `{${'"a":1,'.repeat(340_000)}`,
]

function badJson(name: string, path: string, what: string, key?: null): Scenario {
  return {
    name,
    what: `sends 2 MB of bad JSON to ${what}, 8 connections`,
    run: (abuser) =>
      abuser.flood(8, (n) => ({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', origin: abuser.target.url },
        body: badBodies[n % badBodies.length],
        ...(key === null ? { key } : {}),
      })),
  }
}

function gets(name: string, what: string, path: string, connections = 32): Scenario {
  return { name, what, run: (abuser) => abuser.flood(connections, () => ({ path, key: null })) }
}

/** Opens connections that send a request byte by byte, and replaces those that are closed. */
async function dripFlood(abuser: Abuser, text: string): Promise<void> {
  const drip = async (i: number): Promise<void> => {
    while (!abuser.isOver) {
      const socket = abuser.socket(`127.4.${i % 200}.2`)
      socket.once('data', (piece: Buffer) => abuser.count(piece.subarray(9, 12).toString()))
      for (let at = 0; at < text.length && !socket.destroyed && !abuser.isOver; at++) {
        socket.write(text[at])
        await sleep(50)
      }
      socket.destroy()
      await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: SLOW_CONNECTIONS }, (_, i) => drip(i)))
}

/**
 * Opens connections that send as many chunks of one byte as the service takes, half of them without a credential, and
 * replaces those that are closed.
 */
async function pieceFlood(abuser: Abuser): Promise<void> {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(PIECES_BYTES))
  const heads = [
    `authorization: Bearer ${abuser.target.editorKey}\r\n`,
    `origin: ${abuser.target.url}\r\nsec-fetch-site: same-origin\r\n`,
  ].map((header, i) =>
    Buffer.from(
      `POST ${i === 0 ? '/api/knowledge/knowledge-entries/search' : '/api/session'} HTTP/1.1\r\n` +
        `host: ${new URL(abuser.target.url).host}\r\n${header}content-type: application/json\r\n` +
        'transfer-encoding: chunked\r\n\r\n',
    ),
  )
  const send = async (i: number): Promise<void> => {
    while (!abuser.isOver) {
      const socket = abuser.socket()
      socket.once('data', (piece: Buffer) => abuser.count(piece.subarray(9, 12).toString()))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(Buffer.concat([heads[i % 2], chunks]))
      await Promise.race([closed, sleep(5_000)])
      socket.destroy()
      await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: PIECE_CONNECTIONS }, (_, i) => send(i)))
}

export const HTTP: ScenarioGroup = {
  name: 'http',
  tenantSettings: { oauthRegistration: 'open' },
  scenarios: [
    badJson('bad-json-session', '/api/session', 'sign-in, without a credential', null),
    badJson('bad-json-register', '/oauth/register', 'client registration, without a credential', null),
    badJson('bad-json-token', '/oauth/token', 'the token endpoint, without a credential', null),
    badJson('bad-json-entries', '/api/knowledge/knowledge-entries', 'entries, with a credential'),
    {
      name: 'bad-values',
      what: 'sends entries of 49,000 wrong values, with a credential, 8 connections',
      run(abuser) {
        const wrong = JSON.stringify({ title: 5, content: 5, tags: Array(49_000).fill(5), metadata: 5 })
        return abuser.flood(8, () => ({ method: 'POST', path: '/api/knowledge/knowledge-entries', body: wrong }))
      },
    },
    {
      name: 'slow-headers',
      what: `sends headers byte by byte on ${SLOW_CONNECTIONS} connections`,
      run: (abuser) => dripFlood(abuser, `GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: ${'x'.repeat(10_000)}`),
    },
    {
      name: 'slow-bodies',
      what: `sends bodies byte by byte on ${SLOW_CONNECTIONS} connections`,
      run: (abuser) =>
        dripFlood(
          abuser,
          abuser.bytesOf({
            method: 'POST',
            path: '/api/knowledge/knowledge-entries/search',
            body: { query: 'x'.repeat(2_000) },
          }),
        ),
    },
    {
      name: 'small-pieces',
      what: `sends bodies in chunks of one byte on ${PIECE_CONNECTIONS} connections of one address`,
      run: pieceFlood,
    },
    {
      name: 'idle-connections',
      what: `holds ${IDLE_CONNECTIONS.toLocaleString('en')} connections that send nothing`,
      async run(abuser) {
        for (let i = 0; i < IDLE_CONNECTIONS; i++) abuser.socket(`127.5.${i % 200}.2`).resume()
        while (!abuser.isOver) await sleep(100)
      },
    },
    {
      name: 'new-connections',
      what: 'opens a connection for each request, 32 at once',
      async run(abuser) {
        const work = async (): Promise<void> => {
          while (!abuser.isOver) {
            const client = abuser.client()
            await abuser.send(client, { path: '/healthz', key: null })
            await client.destroy()
          }
        }
        await Promise.all(Array.from({ length: 32 }, work))
      },
    },
    {
      name: 'scopes-header',
      what: 'narrows its scopes with 15 KB of X-Scopes, 32 connections',
      run: (abuser) =>
        abuser.flood(32, () => ({
          path: '/api/knowledge/knowledge-entries?limit=1',
          headers: { 'x-scopes': 'knowledge:read '.repeat(1_000) },
        })),
    },
    {
      name: 'cookies',
      what: 'sends 15 KB of cookies, 32 connections',
      run: (abuser) =>
        abuser.flood(32, () => ({ path: '/api/session', key: null, headers: { cookie: 'a=1; '.repeat(3_000) } })),
    },
    {
      name: 'query-parameters',
      what: 'sends addresses with 2,000 parameters, 32 connections',
      run: (abuser) =>
        abuser.flood(32, (n) => ({
          path: `/api/knowledge/knowledge-entries?${n % 2 === 0 ? 'tag=a&'.repeat(1_300) : 'a=&'.repeat(2_600)}`,
        })),
    },
    {
      name: 'bad-keys',
      what: 'asks with keys that do not exist, 32 connections',
      run: (abuser) =>
        abuser.flood(32, (n) => ({ path: '/api/knowledge/categories', key: `ks_${String(n).padStart(40, 'x')}` })),
    },
    gets('openapi', 'reads /openapi.json, 32 connections', '/openapi.json'),
    gets('docs', 'reads /docs, 32 connections', '/docs'),
    gets('metrics', 'reads /metrics, 32 connections', '/metrics'),
    gets('console', 'reads the console, 32 connections', '/console'),
    {
      name: 'openapi-unread',
      what: 'asks for /openapi.json on 200 connections and does not read',
      run: (abuser) => abuser.unreadFlood(200, { path: '/openapi.json', key: null }),
    },
  ],
}
