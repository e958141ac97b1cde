import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { IndexDocument, SearchRequest } from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { HANG_MS } from '../../../test/support/patience.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { ReplicaHost } from './replica-host.ts'
import { tablesOf } from './tables-store.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'

/** Options by which a search has time enough to look for other words. */
const PATIENT = { expansionMaxMs: HANG_MS }

describe('the words of a replica', { skip: whyNoPgvector() }, () => {
  let database: Database

  withPgvector((opened) => {
    database = opened
  })

  const documentOf = (id: string, title: string): IndexDocument => ({
    id,
    // French words are not stemmed.
    language: 'fr',
    changedAt: 1,
    group: id,
    text: { title: [title] },
    keys: { level: [id.startsWith('secret') ? 'secret' : 'public'] },
    numbers: {},
    passages: [],
  })
  const requestOf = (source: ChangingSource, tenantId: string, query: string): SearchRequest => ({
    ...plainSearch(source.versionOf(tenantId), query),
    visible: { field: 'level', anyOf: ['public'] },
    explain: true,
  })
  const answerOf = async (host: ReplicaHost, request: SearchRequest) => {
    const { hits, isExact } = await host.search(request)
    return { ids: hits.map(({ id }) => id).sort(), isExact }
  }
  /** Returns a word for each number, without digits, which analysis would split off. */
  const wordOf = (start: string, n: number): string =>
    `${start}${Array.from({ length: 4 }, (_, i) => String.fromCharCode(97 + (Math.floor(n / 26 ** i) % 26))).join('')}x`
  const wordsOf = (start: string, count: number): string =>
    Array.from({ length: count }, (_, n) => wordOf(start, n)).join(' ')

  /** Returns words that have one letter more than `word`, or another letter. */
  const wordsNear = (word: string, count: number): string[] => {
    const words = new Set<string>()
    for (let at = 1; at <= word.length; at++) {
      for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
        words.add(word.slice(0, at) + letter + word.slice(at))
        words.add(word.slice(0, at) + letter + word.slice(at + 1))
      }
    }
    words.delete(word)
    return [...words].slice(0, count)
  }

  test('tens of thousands that only hidden documents have are not read by a search for what begins like them', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    let read = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read += result.rows.length
        return result
      },
    }
    const host = new ReplicaHost({ ...database, queries: database.queries.withPlugin(counting) }, [source], PATIENT)
    for (let n = 0; n < 2_000; n++) {
      const words = Array.from({ length: 100 }, (_, i) => wordOf('m', (n * 8_191 + i * i * 127) % 20_011))
      source.put('slow', documentOf(`d${n}`, words.join(' ')))
    }
    source.put('slow', documentOf('wanted', 'quince'))
    await host.warm(source.versionOf('slow'))
    source.put('slow', documentOf('secret', wordsOf('qu', 26_000)))
    await host.warm(source.versionOf('slow'))
    read = 0
    const request = { ...requestOf(source, 'slow', 'qu'), prefixLast: true }
    assert.deepEqual(await answerOf(host, request), { ids: ['wanted'], isExact: true })
    assert.ok(read > 0 && read < 1_000, `${read} rows are read`)
  })

  test('tens of thousands in more documents, all hidden, push no visible word out of what the query begins', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], PATIENT)
    source.put('pushed', documentOf('wanted', 'quince'))
    for (const id of ['secret1', 'secret2']) source.put('pushed', documentOf(id, wordsOf('qu', 26_000)))
    const request = { ...requestOf(source, 'pushed', 'qu'), prefixLast: true }
    assert.deepEqual(await answerOf(host, request), { ids: ['wanted'], isExact: true })
  })

  test('hundreds in more documents, all hidden and as near to a misspelt word, keep no visible word from correcting it', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source], PATIENT)
    const typed = 'lampenlihct'
    const near = wordsNear(typed, 400)
    // Each word has another number of documents, so that no two words have the same count.
    for (let n = 1; n <= 400; n++) source.put('near', documentOf(`secret${n}`, near.slice(0, n).join(' ')))
    for (let n = 0; n < 500; n++) source.put('near', documentOf(`other${n}`, 'chair'))
    source.put('near', documentOf('wanted', 'lampenlicht'))
    const request = { ...requestOf(source, 'near', typed), fuzzy: true }
    assert.deepEqual(await answerOf(host, request), { ids: ['wanted'], isExact: true })
  })

  test('where very many visible documents have words near a misspelt one, it stands for the most frequent', async () => {
    const source = new ChangingSource(DEFINITION, 500)
    const host = new ReplicaHost(database, [source], PATIENT)
    const typed = 'lampenlihct'
    const near = wordsNear(typed, 100)
    for (let n = 0; n < 4_000; n++) source.put('crowd', documentOf(`d${n}`, near[n % near.length]))
    for (let n = 0; n < 400; n++) source.put('crowd', documentOf(`often${n}`, 'lampenlicht'))
    for (let n = 0; n < 600; n++) source.put('crowd', documentOf(`secret${n}`, 'lampenlihtc'))
    const { total, isExact } = await host.search({ ...requestOf(source, 'crowd', typed), fuzzy: true })
    // The frequent word, and three of those that 40 documents have.
    assert.deepEqual([total, isExact], [400 + 3 * 40, false])
  })

  test('a word that only hidden documents have takes the same statements as one that no document has', async () => {
    const source = new ChangingSource(DEFINITION)
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements++
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }
    const host = new ReplicaHost({ ...database, queries: database.queries.withPlugin(counting) }, [source], PATIENT)
    source.put('same', documentOf('one', 'lamp'))
    for (let n = 0; n < 6; n++) source.put('same', documentOf(`secret${n}`, 'zephyrcorp acquisition'))
    const statementsFor = async (query: string): Promise<number> => {
      statements = 0
      assert.deepEqual(await answerOf(host, requestOf(source, 'same', query)), { ids: [], isExact: true })
      return statements
    }
    await statementsFor('chair')
    const ofAbsent = await statementsFor('zephyrnope')
    assert.ok(ofAbsent > 0)
    assert.equal(await statementsFor('zephyrcorp'), ofAbsent)
    assert.equal(await statementsFor('lamps zephyrcorp'), await statementsFor('lamps zephyrnope'))
  })

  test('a word that is longer than PostgreSQL takes hinders no other word of the query', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], PATIENT)
    source.put('long', documentOf('one', 'lamp'))
    const request = requestOf(source, 'long', `lamp ${'x'.repeat(3_000)}`)
    for (const each of [request, { ...request, fuzzy: true, prefixLast: true }]) {
      assert.deepEqual(await answerOf(host, each), { ids: ['one'], isExact: true })
    }
  })

  test('a search that cannot look for other words in time leaves them out and says that it is not exact', async () => {
    const source = new ChangingSource(DEFINITION)
    const [host, hurried] = [PATIENT, {}].map((options) => new ReplicaHost(database, [source], options))
    source.put('late', documentOf('lamp', 'lamp'))
    source.put('late', documentOf('chair', 'chair'))
    source.put('late', documentOf('secret', 'table'))
    const request = { ...requestOf(source, 'late', 'lamp chiar'), fuzzy: true }
    assert.deepEqual(await answerOf(host, request), { ids: ['chair', 'lamp'], isExact: true })
    const { terms } = tablesOf(request.version)
    await database.queries.transaction().execute(async (tx) => {
      await sql`lock table ${terms} in access exclusive mode`.execute(tx)
      assert.deepEqual(await answerOf(hurried, request), { ids: ['lamp'], isExact: false })
    })
    assert.deepEqual(await answerOf(host, request), { ids: ['chair', 'lamp'], isExact: true })
  })
})
