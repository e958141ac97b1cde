import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { request } from 'undici'
import { DATABASES } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const SEARCH = '/api/knowledge/knowledge-entries/search'
const PASSWORD = 'a password of many words'
const DECODED = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

/** Stores an entry whose answer is long enough to be compressed. */
async function fill(service: TestService): Promise<void> {
  const category_id = await service.category()
  const body = { title: 'Lampe', content: 'Eine Lampe leuchtet. '.repeat(200), category_id }
  assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body })).status, 201)
}

describe('compressed answers', () => {
  let service: TestService
  before(async () => {
    service = await TestService.start(DATABASES[0], { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD })
    await fill(service)
  })
  after(() => service.stop())

  async function ask(path: string, accepted: string | null, body?: object) {
    const answer = await request(service.service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(accepted === null ? {} : { 'accept-encoding': accepted }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()), status: answer.statusCode }
  }

  test('an answer over 2 kB comes in the coding that the client asks for, and says the same', async () => {
    const plain = await ask(SEARCH, null, { query: 'Lampe' })
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, undefined])
    for (const [coding, decode] of Object.entries(DECODED)) {
      const { headers, bytes, status } = await ask(SEARCH, coding, { query: 'Lampe' })
      assert.deepEqual([status, headers['content-encoding'], headers.vary], [200, coding, 'Accept-Encoding'])
      assert.equal(Number(headers['content-length']), bytes.length)
      assert.ok(bytes.length < plain.bytes.length / 4)
      assert.deepEqual(decode(bytes), plain.bytes)
      const list = await ask('/api/knowledge/knowledge-entries', coding)
      assert.deepEqual(JSON.parse(decode(list.bytes).toString()).length, 1)
    }
  })

  test('nothing is compressed where the setting leaves that to a proxy', async () => {
    const plain = await TestService.start(DATABASES[0], { ANSWER_COMPRESSION: 'off' })
    try {
      await fill(plain)
      const answer = await request(`${plain.service.url}/api/knowledge/knowledge-entries`, {
        headers: { authorization: `Bearer ${plain.adminKey}`, 'accept-encoding': 'gzip' },
      })
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.equal(((await answer.body.json()) as object[]).length, 1)
    } finally {
      await plain.stop()
    }
  })

  test('short answers, errors in short and clients without a known coding get plain JSON', async () => {
    assert.equal((await ask('/api/knowledge/categories', 'gzip')).headers['content-encoding'], undefined)
    assert.equal((await ask(SEARCH, 'gzip', { query: '' })).headers['content-encoding'], undefined)
    assert.equal((await ask(SEARCH, 'deflate', { query: 'Lampe' })).headers['content-encoding'], undefined)
  })

  test('what a session gets is compressed only for pages of the service, so that its length tells no other page anything', async () => {
    const { url } = service.service
    const signIn = await service.call('POST', '/api/session', {
      key: null,
      headers: { origin: url },
      body: { email: 'admin@localhost', password: PASSWORD },
    })
    assert.equal(signIn.status, 200, JSON.stringify(signIn.body))
    const [cookie] = signIn.headers.get('set-cookie')!.split(';')
    const codingFor = async (site: string | null) => {
      const headers = { cookie, 'accept-encoding': 'gzip', ...(site === null ? {} : { 'sec-fetch-site': site }) }
      const answer = await request(`${url}/api/knowledge/knowledge-entries`, { headers })
      assert.equal(answer.statusCode, 200)
      await answer.body.dump()
      return answer.headers['content-encoding']
    }
    assert.equal(await codingFor('same-origin'), 'gzip')
    for (const site of ['cross-site', 'same-site', 'none', null])
      assert.equal(await codingFor(site), undefined, `${site}`)
  })

  test('the lines of a bulk are answered while they come in, whatever the client accepts', async () => {
    const line = JSON.stringify({ title: 'Zeile', content: 'x', category_id: 'none' })
    const answer = await request(`${service.service.url}/api/knowledge/knowledge-entries/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        'content-type': 'application/x-ndjson',
        'accept-encoding': 'gzip, br, zstd',
      },
      body: `${line}\n`.repeat(50),
    })
    assert.equal(answer.headers['content-encoding'], undefined)
    assert.equal((await answer.body.text()).trim().split('\n').length, 50)
  })
})
