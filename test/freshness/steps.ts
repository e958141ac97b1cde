import assert from 'node:assert/strict'
import type { ServiceProcess } from '../durability/service-process.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const MODES = ['keyword', 'semantic', 'hybrid'] as const

/** Two subjects that the built-in model distinguishes. */
const SUBJECTS = [
  'The dog barks in the park and runs after the cat',
  'The invoice lists the tax and the account to pay into',
] as const

/** The processes that write and search, and their credentials. */
export interface Sides {
  readonly writer: ServiceProcess
  readonly reader: ServiceProcess
  readonly category: string
  readonly other: string
  readonly project: string
  /** A user who is not the administrator. */
  readonly ownerKey: string
}

interface Expected {
  readonly filter: object
  readonly word: string
  readonly subject?: 0 | 1
  readonly key?: string
  /** Expected ids of the search, in any order. */
  readonly ids: readonly string[]
}

/** Returns a name that is a single word in every analysis, and unique among the tests. */
export function unusedWord(number: number): string {
  const letters = number.toString().replaceAll(/\d/g, (digit) => 'bcdfghklmn'[Number(digit)])
  return `zu${letters}ox`
}

/** Writes through one process, and searches through the other after each write. */
export class Steps {
  readonly #sides: Sides
  readonly #number: number
  /** Number of writes followed by a search. */
  checked = 0
  #unchecked: 0 | 1 = 0

  constructor(sides: Sides, number: number) {
    this.#sides = sides
    this.#number = number
  }

  /** Tag of this story's entries. It is not the story's word, because search looks at tags too. */
  get #tag(): string {
    return `story-${this.#number}`
  }

  /** Creates, changes, moves and deletes an entry. */
  async life(): Promise<void> {
    const { category, other, project } = this.#sides
    const [word, later] = [unusedWord(this.#number), unusedWord(this.#number + 500_000)]
    const tag = { tags: [this.#tag] }
    const { id } = await this.#write('POST', ENTRIES, 201, this.#entry(word, 0))
    await this.#search({ filter: tag, word, subject: 0, ids: [id] })

    const changed = { title: `About ${later}`, content: SUBJECTS[1], search_keywords: [later] }
    await this.#write('PATCH', `${ENTRIES}/${id}`, 200, changed)
    await this.#search({ filter: tag, word: later, subject: 1, ids: [id] })
    const old = { query: word, mode: 'keyword' }
    assert.deepEqual((await this.#sides.reader.call('POST', `${ENTRIES}/search`, { body: old })).body, [])

    const members = `/api/knowledge/projects/${project}/entries`
    await this.#write('POST', members, 200, { entry_ids: [id] })
    await this.#search({ filter: { ...tag, project_id: project }, word: later, ids: [id] })
    await this.#write('DELETE', `${members}/${id}`, 204)
    await this.#search({ filter: { ...tag, project_id: project }, word: later, ids: [] })

    await this.#write('PATCH', `${ENTRIES}/${id}`, 200, { category_id: other })
    await this.#search({ filter: { ...tag, category_id: other }, word: later, ids: [id] })
    await this.#search({ filter: { ...tag, category_id: category }, word: later, ids: [] })

    await this.#write('DELETE', `${ENTRIES}/${id}`, 204)
    await this.#search({ filter: tag, word: later, ids: [] })
  }

  /** Imports two entries, and imports one of them again with another text. */
  async bulk(): Promise<void> {
    const word = unusedWord(this.#number)
    const filter = { tags: [this.#tag] }
    const line = (reference: string, subject: 0 | 1) =>
      JSON.stringify({ ...this.#entry(word, subject), source_reference: `${word}/${reference}` })
    const created = await this.#import([line('a', 0), line('b', 0)])
    await this.#search({ filter, word, subject: 0, ids: created })
    assert.deepEqual(await this.#import([line('b', 1)]), [created[1]])
    await this.#search({ filter, word, ids: created })
  }

  /** Creates a private note, which only its owner finds, and publishes it for others to find. */
  async publish(): Promise<void> {
    const { ownerKey: key } = this.#sides
    const word = unusedWord(this.#number)
    const filter = { tags: [this.#tag] }
    const { id } = await this.#write('POST', `${ENTRIES}/personal`, 201, this.#entry(word, 0), key)
    await this.#search({ filter, word, key, ids: [id] })
    await this.#search({ filter, word, ids: [] })
    await this.#write('PATCH', `${ENTRIES}/${id}`, 200, { visibility: 'internal' }, key)
    await this.#search({ filter, word, ids: [id] })
  }

  /** Moves a category below another one. */
  async subtree(): Promise<void> {
    const { other } = this.#sides
    const word = unusedWord(this.#number)
    const categories = '/api/knowledge/categories'
    const { id: moved } = await this.#write('POST', categories, 201, { name: word })
    const { id } = await this.#write('POST', ENTRIES, 201, { ...this.#entry(word, 0), category_id: moved })
    const filter = { tags: [this.#tag], category_id: other, include_descendants: true }
    await this.#search({ filter, word, ids: [] })
    await this.#write('PATCH', `${categories}/${moved}`, 200, { parent_id: other })
    await this.#search({ filter, word, ids: [id] })
  }

  #entry(word: string, subject: 0 | 1): { title: string; content: string; category_id: string; tags: string[] } {
    return {
      title: `About ${word}`,
      content: SUBJECTS[subject],
      category_id: this.#sides.category,
      tags: [this.#tag],
    }
  }

  async #write(method: string, path: string, status: number, body?: unknown, key?: string): Promise<{ id: string }> {
    const answer = await this.#sides.writer.call(method, path, { key, body })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    this.#unchecked = 1
    return answer.body
  }

  async #import(lines: readonly string[]): Promise<string[]> {
    const { status, body } = await this.#sides.writer.call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n') })
    assert.equal(status, 200, JSON.stringify(body))
    this.#unchecked = 1
    const results = (body as string).trim().split('\n')
    return results.map((result) => (JSON.parse(result) as { id: string }).id)
  }

  /** Fails unless each mode finds exactly these entries, and search by meaning compares their newest text. */
  async #search({ filter, word, subject, key, ids }: Expected): Promise<void> {
    const search = (mode: string, query: string) =>
      this.#sides.reader.call('POST', `${ENTRIES}/search`, { key, body: { ...filter, query, mode } })
    const answers = await Promise.all(MODES.map((mode) => search(mode, word)))
    for (const [i, { status, body }] of answers.entries()) {
      assert.equal(status, 200, JSON.stringify(body))
      const hitIds = (body as { entry: { id: string } }[]).map((hit) => hit.entry.id)
      assert.deepEqual(hitIds.sort(), [...ids].sort(), `${MODES[i]} search for ${word}`)
    }
    if (subject !== undefined) {
      const [right, wrong] = await Promise.all([subject, 1 - subject].map((n) => search('semantic', SUBJECTS[n])))
      assert.ok(right.body[0].similarity > wrong.body[0].similarity + 0.2, 'the vectors are those of the newest text')
    }
    this.checked += this.#unchecked
    this.#unchecked = 0
  }
}
