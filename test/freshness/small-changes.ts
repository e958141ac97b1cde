import assert from 'node:assert/strict'
import { ADMIN_KEY, type ServiceProcess } from '../durability/service-process.ts'
import { until } from '../support/patience.ts'
import type { Answer } from '../support/service.ts'
import { unusedWord } from './steps.ts'

/** A search through one process for a word of one section. */
interface WordSearch {
  readonly reader: ServiceProcess
  readonly key: string
  readonly section: 'knowledge' | 'products'
  readonly word: string
}

/** Writes one entry or product at a time through one process, and searches for it through the other. */
export class SmallChanges {
  readonly #processes: readonly ServiceProcess[]
  readonly #place: { readonly category: string; readonly site: string }
  readonly #keys: Readonly<Record<string, string>>
  #items = 0
  /** Number of writes after which both searches were right. */
  checked = 0
  /** Number of these writes after which the first search said that it lacked no text. */
  complete = 0

  /**
   * @param place ids of the category of all entries and the site of all products
   * @param keys of callers, by their ceilings
   */
  constructor(
    processes: readonly ServiceProcess[],
    place: { readonly category: string; readonly site: string },
    keys: Readonly<Record<string, string>>,
  ) {
    this.#processes = processes
    this.#place = place
    this.#keys = keys
  }

  /** Creates an entry or a product and then gives it another text. Searches for it after each of these two writes. */
  async check(): Promise<void> {
    const number = this.#items++
    const key = this.#keys[number % 3 === 0 ? 'internal' : 'restricted']
    const [writer, reader] = number % 2 === 0 ? this.#processes : this.#processes.toReversed()
    const isEntry = number % 4 < 2
    const path = `/api/knowledge/${isEntry ? 'knowledge-entries' : 'products'}`
    const query = isEntry ? '' : `?site_id=${this.#place.site}`
    const category = isEntry ? { category_id: this.#place.category } : {}
    const [word, later] = [unusedWord(number), unusedWord(number + 500_000)]
    const text = (of: string) => ({ title: `About ${of}`, [isEntry ? 'content' : 'description']: `All of ${of}` })
    const search = { reader, key, section: isEntry ? 'knowledge' : 'products' } as const
    const created = await writer.call('POST', path + query, { body: { ...category, ...text(word), language: 'en' } })
    await this.#find(created, { ...search, word })
    const changed = await writer.call('PATCH', `${path}/${created.body.id}`, { body: text(later) })
    await this.#find(changed, { ...search, word: later })
  }

  /** Fails unless the next search finds what was written or lacks texts, and a search that names the write finds it. */
  async #find(written: Answer, search: WordSearch): Promise<void> {
    assert.ok(written.status < 300, JSON.stringify(written.body))
    const next = await answerTo(search)
    const behind = next.headers.get('x-search-behind')
    if (behind === null) {
      assert.deepEqual(idsOf(next), [written.body.id], `the next search for ${search.word}`)
      this.complete++
    } else {
      assert.match(behind, search.key === ADMIN_KEY ? /^[1-9]\d*$/ : /^true$/)
    }
    const naming = { 'x-min-watermark': written.headers.get('x-watermark')!, prefer: 'wait=10' }
    let named = await answerTo(search, naming)
    // A very busy machine may take longer than the wait. Then the service asks the caller to try again.
    await until(async () => {
      if (named.status === 503) named = await answerTo(search, naming)
      return named.status !== 503
    }, 'the other process has the text')
    assert.deepEqual(idsOf(named), [written.body.id], `the search for ${search.word} that names the write`)
    assert.equal(named.headers.get('preference-applied'), 'wait=10')
    this.checked++
  }
}

async function answerTo(
  { reader, key, section, word }: WordSearch,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { query: word, mode: 'keyword', sections: [section] }
  return reader.call('POST', '/api/knowledge/search', { key, body, headers })
}

function idsOf({ status, body }: Answer): string[] {
  assert.equal(status, 200, JSON.stringify(body))
  const [{ section, hits }] = body.sections
  return hits.map((hit: Record<string, { id: string }>) => hit[section === 'products' ? 'product' : 'entry'].id)
}
