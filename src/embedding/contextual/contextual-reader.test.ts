import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { unlessItHangs } from '../../../test/support/patience.ts'
import { sharedStaticModel } from '../builtin/static-model.ts'
import { BOTH_ID, STATIC_ID } from '../builtin/ids.ts'
import { EmbedderPool } from '../embedder-pool.ts'
import { EmbeddingUnavailable } from '../embedder.ts'
import type { EmbeddingSettings } from '../provider.ts'
import { absenceOf, FOLDER } from './availability.ts'
import { ContextualReader } from './contextual-reader.ts'
import { ContextualModel } from './model.ts'
import type { Purpose } from './reader.ts'
import { TOKENS_MAX } from './windows.ts'

/** Most tokens of a text that the model's author read, in one run; the service reads such texts in windows. */
const AUTHOR_TOKENS_MAX = 512

interface ReferenceCase {
  readonly kind: Purpose
  readonly text: string
  readonly ids: readonly number[] | null
  readonly first_ids: readonly number[]
  readonly tokens: number
  readonly vector_head: readonly number[]
}

interface Reference {
  readonly cases: readonly ReferenceCase[]
  readonly nearest: readonly { readonly query: string; readonly passage: string; readonly cosine: number }[]
}

const { cases, nearest } = JSON.parse(readFileSync(new URL('reference.json', FOLDER), 'utf8')) as Reference
const BUILTIN: EmbeddingSettings = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null }
const BULK = cases.filter(({ kind, ids }) => kind === 'passage' && ids !== null).map(({ text }) => text)

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, squaresOfA, squaresOfB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i]
    squaresOfA += a[i] ** 2
    squaresOfB += b[i] ** 2
  }
  return dot / Math.sqrt(squaresOfA * squaresOfB)
}

describe('the contextual model', () => {
  let model: ContextualModel
  before(async () => {
    model = await ContextualModel.load({ folder: FOLDER, runtimeFrom: import.meta.url, threads: 1 })
  })

  test('the tokens of the reference are exactly those of its author', () => {
    assert.equal(cases.length, 23)
    for (const { kind, text, ids, first_ids: first } of cases) {
      const own = model.idsOf(text, kind)
      assert.deepEqual(ids === null ? own.slice(0, first.length) : own, ids ?? first, text)
    }
  })

  test('the vectors of the reference are those of its author', async () => {
    for (const { kind, text, tokens, vector_head: head } of cases) {
      const ids = model.idsOf(text, kind)
      const read = ids.length > AUTHOR_TOKENS_MAX ? [...ids.slice(0, AUTHOR_TOKENS_MAX - 1), 2] : ids
      assert.equal(read.length, tokens)
      const vector = await model.run(read)
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
      assert.ok(cosine(vector.subarray(0, head.length), head) >= 0.99, text)
    }
  })

  test('questions and answers are as similar as the reference says', async () => {
    const vectorOf = async (begin: string, kind: Purpose) => {
      const { text } = cases.find((each) => each.kind === kind && each.text.startsWith(begin))!
      return model.run(model.idsOf(text, kind))
    }
    for (const { query, passage, cosine: expected } of nearest) {
      const own = cosine(await vectorOf(query, 'query'), await vectorOf(passage, 'passage'))
      assert.ok(Math.abs(own - expected) < 0.05, `${query}: ${own}, expected ${expected}`)
    }
  })

  test('a text without a known word has no windows, and so no meaning', () => {
    for (const text of ['', ' \n ', '日本語のテキスト', '漢'.repeat(2_000)])
      assert.deepEqual(model.tokenize(text, 'passage').windows, [], text)
    assert.equal(model.tokenize('日本語 Passwort', 'passage').windows.length, 1)
  })

  test('texts without end cost no more than long ones', (t) => {
    const { normalize } = String.prototype
    t.mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
      assert.ok(!/\p{M}{40}/u.test(this), 'marks that Unicode reorders in quadratic time are normalised')
      return normalize.call(this, form)
    })
    for (const text of [
      'x',
      '漢',
      'e\u0323\u0301',
      'Passwort\u0301\u0316',
      'ab cd ',
      '</s><pad>',
      '\ud800',
      '\u3316',
      '\ufdfa',
    ]) {
      const { windows } = unlessItHangs(() => model.tokenize(text.repeat(1_000_000 / text.length), 'passage'))
      assert.ok(windows.length <= 40, `${windows.length} windows of ${text}`)
    }
    unlessItHangs(() => model.tokenize(`Passwort${'\u0301\u0316'.repeat(500_000)}`, 'passage'))
  })
})

/** Starts a reader, which is closed after the test. @returns it with the messages of its log */
function open(
  t: { after(end: () => Promise<void>): void },
  place: { readonly runtimeFrom?: string; readonly folder?: string } = {},
) {
  const log: string[] = []
  const reader = new ContextualReader({
    threads: 1,
    log: { warn: (_details, message) => void log.push(message) },
    ...place,
  })
  t.after(() => reader.close())
  return { reader, log }
}

describe('the reader', () => {
  const { reader } = open({ after })

  test('a text has the same vector alone and under load, bit for bit', async () => {
    const [text] = BULK
    const alone = await reader.read([text], 'passage')
    const aloneAsked = await reader.read([text], 'query')
    const bulk = Array.from({ length: 12 }, (_, i) => BULK.toSpliced(i % BULK.length, 0, text))
    const passages = bulk.slice(0, 4).map((texts) => reader.read(texts, 'passage'))
    const queries = bulk.map((texts) => reader.read([texts[0], text], 'query'))
    for (const [i, { vectors }] of (await Promise.all(passages)).entries()) {
      assert.deepEqual(vectors[i % BULK.length], alone.vectors[0])
    }
    for (const { vectors } of await Promise.all(queries)) assert.deepEqual(vectors[1], aloneAsked.vectors[0])
    assert.notDeepEqual(alone.vectors[0], aloneAsked.vectors[0])
  })

  test('a query does not wait for passages that came before it', async () => {
    const ended: string[] = []
    const passages = reader
      .read(Array.from({ length: 10 }, () => BULK).flat(), 'passage')
      .then(() => ended.push('passages'))
    await Promise.all([passages, reader.read(['Passwort'], 'query').then(() => ended.push('query'))])
    assert.deepEqual(ended, ['query', 'passages'])
  })

  test('a long text is read to its end, in windows', async () => {
    const long = 'Der Urlaub wird in der Personalabteilung beantragt. '.repeat(150)
    const other = `${'Der Urlaub wird in der Personalabteilung beantragt. '.repeat(75)}${'Bananenbrot mit Mehl backen. '.repeat(150)}`
    const { vectors, tokens } = await reader.read([long, other, 'Bananenbrot backen'], 'passage')
    assert.ok(tokens > 2 * TOKENS_MAX)
    for (const vector of vectors) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
    assert.ok(cosine(vectors[1], vectors[2]) > cosine(vectors[0], vectors[2]) + 0.2)
  })

  test('a call that nothing waits for any more is given up, and the next one is answered', async () => {
    const giveUp = new AbortController()
    const call = reader.read(BULK, 'passage', { signal: giveUp.signal })
    giveUp.abort()
    await assert.rejects(call, { name: 'AbortError' })
    await assert.rejects(reader.read(BULK, 'passage', { signal: giveUp.signal }), { name: 'AbortError' })
    assert.equal((await reader.read(['a'], 'query')).vectors.length, 1)
    assert.deepEqual(await reader.read([], 'query'), { vectors: [], tokens: 0 })
  })
})

/** Counts the threads that are started until the test ends. */
function countThreads(t: TestContext): () => number {
  let count = 0
  const onThread = (): void => void count++
  diagnostics.subscribe('worker_threads', onThread)
  t.after(() => diagnostics.unsubscribe('worker_threads', onThread))
  return () => count
}

test('the thread starts with the first text, ends after an hour without one, and comes again with the next', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const started = countThreads(t)
  const { reader, log } = open(t)
  assert.equal(started(), 0)
  const first = await reader.read(['Passwort'], 'passage')
  t.mock.timers.tick(59 * 60_000)
  assert.deepEqual(await reader.read(['Passwort'], 'passage'), first)
  t.mock.timers.tick(59 * 60_000)
  assert.deepEqual(await reader.read(['Passwort'], 'passage'), first)
  assert.equal(started(), 1)
  t.mock.timers.tick(60 * 60_000)
  assert.deepEqual(await reader.read(['Passwort'], 'passage'), first)
  assert.equal(started(), 2)
  assert.deepEqual([log, reader.health], [[], { name: 'reader', isDown: false, restarts: 0 }])
})

/** Makes a folder with a package of the runtime whose library is no library. */
function brokenRuntime(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'broken-runtime-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6', process.platform, process.arch)
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'onnxruntime_binding.node'), 'no library')
  const main = `require('./bin/napi-v6/' + process.platform + '/' + process.arch + '/onnxruntime_binding.node')`
  writeFileSync(join(folder, 'node_modules/onnxruntime-node/index.js'), main)
  writeFileSync(join(folder, 'node_modules/onnxruntime-node/package.json'), '{"name":"onnxruntime-node"}')
  return pathToFileURL(join(folder, 'module.mjs')).href
}

test('while the model cannot be loaded, queries go by what stands in for it, passages wait, and the log says so once', async (t) => {
  const { reader, log } = open(t, { runtimeFrom: brokenRuntime(t) })
  const pool = new EmbedderPool(BUILTIN, undefined, undefined, undefined, reader)
  assert.equal(pool.current.id, BOTH_ID)
  assert.equal(reader.trouble, null)
  for (const query of ['Passwort vergessen', 'Urlaub', 'Passwort vergessen']) {
    const vector = await pool.queryVector(BOTH_ID, 't', query)!
    assert.deepEqual(vector, pool.current.standIn!(query, 'query'))
    const part = sharedStaticModel().embed(query).slice(0, 128)
    assert.ok(Math.abs(cosine(vector.subarray(384), part) - 1) < 1e-6)
  }
  await assert.rejects(pool.embed(pool.current, 't', ['Passwort']), (error) => {
    assert.ok(error instanceof EmbeddingUnavailable)
    assert.match(error.message, /^the contextual model cannot be loaded: .*onnxruntime_binding\.node/)
    assert.doesNotMatch(error.message, /[/\\]/, 'tenants are told where the service is installed')
    assert.ok(error.retryAfterMs > 60_000)
    return true
  })
  assert.match(pool.unreadReason()!, /onnxruntime_binding/)
  assert.deepEqual(log, ['the contextual model cannot be loaded'])
  assert.ok(pool.health.failingSince !== null)
})

test('where the runtime is not installed, or not for this platform, that is known before anything is loaded', (t) => {
  const empty = mkdtempSync(join(tmpdir(), 'no-runtime-'))
  t.after(() => rmSync(empty, { recursive: true, force: true }))
  const from = pathToFileURL(join(empty, 'module.mjs')).href
  assert.equal(absenceOf(), null)
  assert.equal(absenceOf({ runtimeFrom: from }), 'the optional package onnxruntime-node is not installed')
  assert.match(absenceOf({ folder: new URL('./', from).href })!, /no model\.onnx/)
  const packageFolder = join(empty, 'node_modules/onnxruntime-node')
  mkdirSync(join(packageFolder, 'bin/napi-v6/other'), { recursive: true })
  writeFileSync(join(packageFolder, 'package.json'), '{}')
  assert.match(absenceOf({ runtimeFrom: from })!, /^onnxruntime-node has no library for \w+ on \w+$/)
  const { reader } = open(t, { runtimeFrom: from })
  const pool = new EmbedderPool(BUILTIN, undefined, undefined, undefined, reader)
  assert.equal(pool.current.id, STATIC_ID)
  assert.match(pool.unreadReason()!, /no library/)
  const unread = /no library/
  const byStatic = new EmbedderPool({ ...BUILTIN, model: 'static-de-en-v2' }, undefined, undefined, undefined, reader)
  for (const [models, isToldByBoth, isToldByStatic] of [
    [{ model: STATIC_ID, choice: null }, true, false],
    [{ model: STATIC_ID, choice: STATIC_ID }, false, false],
    [{ model: STATIC_ID, choice: BOTH_ID }, true, true],
    [{ model: BOTH_ID, choice: STATIC_ID }, true, true],
  ] as const) {
    assert.equal(unread.test(pool.unreadReason(models) ?? ''), isToldByBoth, JSON.stringify(models))
    assert.equal(unread.test(byStatic.unreadReason(models) ?? ''), isToldByStatic, JSON.stringify(models))
  }
})
