import assert from 'node:assert/strict'
import type { ServiceProcess } from '../durability/service-process.ts'
import type { Answer } from '../support/service.ts'
import type { Write } from './histories.ts'
import { type EntryState, type ProductState, titleOf } from './item-kinds.ts'
import { type EventOrder, ItemLog } from './item-log.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const PAST = '2001-01-01T00:00:00Z'
const FUTURE = '2999-01-01T00:00:00Z'
/** Most products that one bulk request gives another price. */
const REPRICED_MAX = 6

/** Processes, site and mark that all writers of a history share. */
export interface Target {
  readonly processes: readonly ServiceProcess[]
  /** Id of the site of all products and of some entries. */
  readonly site: string
  /** The tag of all entries and brand of all products of one history. */
  readonly mark: string
}

/** Writes items of its own, one request after the other, and logs their states. */
export class ItemWriter {
  readonly entries: ItemLog<EntryState>[] = []
  readonly products: ItemLog<ProductState>[] = []
  readonly #target: Target
  readonly #name: string
  readonly #order: EventOrder

  /** @param name is the beginning of the names of the writer's items */
  constructor(target: Target, name: string, order: EventOrder) {
    this.#target = target
    this.#name = name
    this.#order = order
  }

  /** Creates the first items, before any search. */
  async createAll(entries: readonly EntryState[], products: readonly ProductState[]): Promise<void> {
    const entryLogs = entries.map((state) => ({ item: this.#entryLog(), state }))
    const entryLines = entryLogs.map(({ item, state }) => this.#entryBody(item.name, state))
    const stored = await this.#bulk(`${ENTRIES}/bulk`, entryLines)
    for (const [i, { item }] of entryLogs.entries()) item.id = stored[i].id
    const assigned = entryLogs.filter(({ state }) => state.site_id !== null).map(({ item }) => item.id)
    if (assigned.length > 0) await this.#call(0, 'POST', this.#members, { entry_ids: assigned })
    const productLogs = products.map((state) => ({ item: this.#productLog(), state }))
    const productLines = productLogs.map(({ item, state }) => this.#productBody(item.name, state))
    const pushed = await this.#bulk(`${PRODUCTS}/bulk?site_id=${this.#target.site}`, productLines)
    for (const [i, { item }] of productLogs.entries()) item.id = pushed[i].id
    for (const { item, state } of entryLogs) await item.write(state, () => Promise.resolve())
    for (const { item, state } of productLogs) await item.write(state, () => Promise.resolve())
  }

  /** Sends one write, unless its item has been deleted. */
  async send(write: Write, process: number): Promise<void> {
    if ('newEntry' in write) {
      const item = this.#entryLog()
      const body = this.#entryBody(item.name, write.newEntry)
      item.id = (await item.write(write.newEntry, () => this.#call(process, 'POST', ENTRIES, body))).id
    } else if ('newProduct' in write) {
      const item = this.#productLog()
      const path = `${PRODUCTS}?site_id=${this.#target.site}`
      const body = this.#productBody(item.name, write.newProduct)
      item.id = (await item.write(write.newProduct, () => this.#call(process, 'POST', path, body))).id
    } else if ('reprice' in write) await this.#reprice(write.reprice, process)
    else if ('reword' in write) await this.#reword(write.reword, write.items, process)
    else if ('entry' in write) await this.#changeEntry(pick(this.entries, write.entry), write.change, process)
    else await this.#changeProduct(pick(this.products, write.product), write.change, process)
  }

  async #changeEntry(item: ItemLog<EntryState>, change: Partial<EntryState> | null, process: number): Promise<void> {
    if (item.state === null || item.state.site_id === change?.site_id) return
    const path = `${ENTRIES}/${item.id}`
    const state = change === null ? null : { ...item.state, ...change }
    await item.write(state, async () => {
      if (change === null) return this.#call(process, 'DELETE', path)
      if (change.site_id === null) return this.#call(process, 'DELETE', `${this.#members}/${item.id}`)
      if (change.site_id !== undefined) return this.#call(process, 'POST', this.#members, { entry_ids: [item.id] })
      return this.#call(process, 'PATCH', path, entryFields(change))
    })
  }

  async #changeProduct(
    item: ItemLog<ProductState>,
    change: Partial<ProductState> | null,
    process: number,
  ): Promise<void> {
    if (item.state === null) return
    const path = `${PRODUCTS}/${item.id}`
    const state = change === null ? null : { ...item.state, ...change }
    await item.write(state, () =>
      change === null ? this.#call(process, 'DELETE', path) : this.#call(process, 'PATCH', path, productFields(change)),
    )
  }

  /** Gives some products the same price, with one request. */
  async #reprice(price: number, process: number): Promise<void> {
    const change = { price, special: null }
    const items = this.products.filter(({ state }) => state !== null).slice(-REPRICED_MAX)
    await this.#patchProducts(items, change, process)
  }

  /** Gives all entries or all products a word, with one request. */
  async #reword(word: string, kind: 'entries' | 'products', process: number): Promise<void> {
    if (kind === 'products') {
      const items = this.products.filter(({ state }) => state !== null)
      return this.#patchProducts(items, { word }, process)
    }
    const items = this.entries.filter(({ state }) => state !== null)
    const lines = items.map(({ name, state }) => this.#entryBody(name, { ...state!, word }))
    const sending = this.#bulk(`${ENTRIES}/bulk`, lines, process)
    await Promise.all(items.map((item) => item.write({ ...item.state!, word }, () => sending)))
  }

  async #patchProducts(
    items: readonly ItemLog<ProductState>[],
    change: Partial<ProductState>,
    process: number,
  ): Promise<void> {
    if (items.length === 0) return
    const lines = items.map(({ name }) => ({ external_id: name, ...productFields(change) }))
    const sending = this.#bulk(`${PRODUCTS}/bulk?site_id=${this.#target.site}&mode=patch`, lines, process)
    await Promise.all(items.map((item) => item.write({ ...item.state!, ...change }, () => sending)))
  }

  get #members(): string {
    return `/api/knowledge/sites/${this.#target.site}/knowledge`
  }

  #entryLog(): ItemLog<EntryState> {
    const item = new ItemLog<EntryState>(`${this.#name}-entry-${this.entries.length}`, this.#order)
    this.entries.push(item)
    return item
  }

  #productLog(): ItemLog<ProductState> {
    const item = new ItemLog<ProductState>(`${this.#name}-product-${this.products.length}`, this.#order)
    this.products.push(item)
    return item
  }

  #entryBody(name: string, state: EntryState): object {
    return { ...entryFields(state), source_reference: name, type: 'memory', language: 'en', tags: [this.#target.mark] }
  }

  #productBody(name: string, state: ProductState): object {
    return { ...productFields(state), external_id: name, language: 'en', brand: this.#target.mark }
  }

  async #call(process: number, method: string, path: string, body?: object): Promise<{ id: string }> {
    const answer = await this.#target.processes[process].call(method, path, { body })
    requireSuccess(answer)
    return answer.body
  }

  /** Sends a bulk request of which every line has to succeed. @returns the answers to its lines */
  async #bulk(path: string, documents: readonly object[], process = 0): Promise<LineAnswer[]> {
    const body = documents.map((each) => JSON.stringify(each)).join('\n')
    const answer = await this.#target.processes[process].call('POST', path, { body })
    requireSuccess(answer)
    const lines = (answer.body as string).split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const { status, ...more } = JSON.parse(line) as LineAnswer
      assert.notEqual(status, 'failed', line)
      return { status, ...more }
    })
  }
}

/** Answer to one line of a bulk request. */
interface LineAnswer {
  readonly status: string
  readonly id: string
}

function requireSuccess({ status, body }: Answer): void {
  assert.ok(status >= 200 && status < 300, `${status} ${JSON.stringify(body)}`)
}

function pick<T>(items: readonly T[], number: number): T {
  return items[number % items.length]
}

/** Returns the fields of a write that give an entry these parts of a state, besides the site. */
function entryFields({ word, isExpired, category_id, visibility }: Partial<EntryState>): object {
  return {
    ...(word === undefined ? {} : { title: titleOf(word), content: `It tells of a ${word} in a house` }),
    ...(isExpired === undefined ? {} : { metadata: { expires_at: isExpired ? PAST : FUTURE } }),
    ...(category_id === undefined ? {} : { category_id }),
    ...(visibility === undefined ? {} : { visibility }),
  }
}

/** Returns the fields of a write that give a product these parts of a state. */
function productFields({ word, price, special, category, availability }: Partial<ProductState>): object {
  return {
    ...(word === undefined ? {} : { title: titleOf(word), description: `It is a ${word} for a house` }),
    ...(price === undefined ? {} : { price_current: String(price) }),
    ...(special === undefined ? {} : { price_special: special === null ? null : String(special) }),
    ...(category === undefined ? {} : { category }),
    ...(availability === undefined ? {} : { availability }),
  }
}
