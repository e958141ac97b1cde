import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser } from 'playwright-core'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { startChromium, WITHOUT_CHROMIUM } from '../support/chromium.ts'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ChromiumPerson } from './chromium-person.ts'
import { connectStrictly } from './strict-client.ts'
import { Wallet } from './wallet.ts'

const PASSWORD = 'correct horse battery'
const MODES = ['key', 'open', 'off'] as const

/** Parts that both major versions of the SDK have in common here. */
interface Line {
  readonly name: string
  readonly connect: (url: URL, wallet: Wallet, fetcher: typeof fetch) => Connection
}

interface Connection {
  readonly open: () => Promise<unknown>
  readonly finish: (answer: URLSearchParams) => Promise<void>
  readonly tools: () => Promise<string[]>
  readonly call: (tool: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

const LINES: readonly Line[] = [
  {
    name: "the SDK's client of line 2",
    connect(url, authProvider, fetcher) {
      const client = new Client({ name: 'test', version: '2' })
      const transport = new StreamableHTTPClientTransport(url, { authProvider, fetch: fetcher })
      return {
        open: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer),
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name) => (await client.callTool({ name, arguments: {} })).structuredContent,
        close: () => client.close(),
      }
    },
  },
  {
    name: "the SDK's client of line 1",
    connect(url, wallet, fetcher) {
      const client = new Client1({ name: 'test', version: '1' })
      const transport = new Transport1(url, { authProvider: wallet, fetch: fetcher })
      return {
        open: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer.get('code') ?? ''),
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name) => (await client.callTool({ name, arguments: {} })).structuredContent,
        close: () => client.close(),
      }
    },
  },
]

/** Tells whether an error is the one of both versions when a client needs a person or has lost its token. */
const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && /Unauthorized/.test(`${error.name} ${error.constructor.name}`)

// One database is enough: the difference lies below, and the attacks run on both.
describe('assistants that connect through a browser', { skip: WITHOUT_CHROMIUM }, () => {
  let service: TestService
  let browser: Browser
  let person: ChromiumPerson
  let base: string

  before(async () => {
    service = await TestService.start(DATABASES[0], { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD })
    base = service.service.url.replace('127.0.0.1', 'localhost')
    browser = await startChromium()
    person = await ChromiumPerson.sitDown(browser, 'admin@localhost', PASSWORD)
  })
  after(async () => {
    await person?.leave()
    await browser?.close()
    await service?.stop()
  })

  const setMode = (mode: string) => changeTenant(service.database, 'default', { settings: { oauthRegistration: mode } })

  /** Registers with the tenant's key, which no client does by itself. */
  const withKey: typeof fetch = (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.endsWith('/oauth/register')) return fetch(input, init)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${service.adminKey}`)
    return fetch(input, { ...init, headers })
  }

  for (const { name, connect } of LINES) {
    for (const mode of MODES) {
      test(`${name} finds, asks, is allowed, calls, renews and is revoked, with registration ${mode}`, async () => {
        await setMode('key')
        const wallet = new Wallet(`${name}, ${mode}`, person.redirectUrl)
        if (mode === 'off') {
          // Existing clients stay; new ones are refused.
          const { body } = await service.call('POST', '/oauth/register', { body: wallet.clientMetadata })
          wallet.client = body
        }
        await setMode(mode)
        const url = new URL('/mcp', base)
        const fetcher = mode === 'open' ? fetch : withKey
        const first = connect(url, wallet, fetcher)
        await assert.rejects(first.open(), isUnauthorized)
        assert.equal(wallet.sentTo?.origin, base)
        await first.finish(await person.allow(wallet.sentTo))
        const granted = wallet.stored!
        assert.ok(granted.refresh_token && granted.scope?.includes('knowledge:read'))

        const second = connect(url, wallet, fetcher)
        await second.open()
        const tools = await second.tools()
        assert.ok(tools.includes('search_knowledge') && tools.includes('delete_entry'), tools.join())
        assert.ok(await second.call('list_categories'))

        // The token expires; the SDK refreshes it by itself and continues.
        await service.database.write((tx) =>
          tx.updateTable('oauth_records').set({ expires_at: 1 }).where('kind', '=', 'AccessToken').execute(),
        )
        assert.ok(await second.call('list_categories'))
        assert.notEqual(wallet.stored!.access_token, granted.access_token)
        assert.notEqual(wallet.stored!.refresh_token, granted.refresh_token)

        const revoked = new URLSearchParams({
          token: wallet.stored!.refresh_token!,
          client_id: wallet.client!.client_id,
        })
        assert.equal((await fetch(`${base}/oauth/revoke`, { method: 'POST', body: revoked })).status, 200)
        await assert.rejects(second.call('list_categories'), isUnauthorized)
        await Promise.all([first.close(), second.close()])
      })
    }

    test(`${name} is refused at registration where that needs a key or is off`, async () => {
      for (const mode of ['key', 'off']) {
        await setMode(mode)
        const wallet = new Wallet(name, person.redirectUrl)
        const connection = connect(new URL('/mcp', base), wallet, fetch)
        await assert.rejects(connection.open(), (error) => !isUnauthorized(error))
        assert.equal(wallet.sentTo, null)
        await connection.close()
      }
    })
  }

  for (const mode of MODES) {
    test(`a client that checks every answer completes the whole flow, with registration ${mode}`, async () => {
      await setMode(mode === 'off' ? 'key' : mode)
      await connectStrictly({
        base,
        key: mode === 'open' ? null : service.adminKey,
        registered: () => setMode(mode),
        redirectUrl: person.redirectUrl,
        allow: (url) => person.allow(url),
      })
    })
  }
})
