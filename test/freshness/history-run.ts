import assert from 'node:assert/strict'
import type { ServiceProcess } from '../durability/service-process.ts'
import { until } from '../support/patience.ts'
import { judge, type SectionAnswer } from './answer-judge.ts'
import type { History, Search } from './histories.ts'
import { type Condition, ENTRIES, type ItemKind, PRODUCTS } from './item-kinds.ts'
import { EventOrder } from './item-log.ts'
import { ItemWriter } from './item-writer.ts'

/** Most hits that a search may ask for. */
const LIMIT = 100

/** Tells one history to two processes and judges every answer to its searches. */
export class HistoryRun {
  readonly #processes: readonly ServiceProcess[]
  readonly #keys: Readonly<Record<string, string>>
  readonly #site: string
  readonly #mark: string
  readonly #order = new EventOrder()
  #writers: readonly ItemWriter[] = []

  /** @param mark tells the history's items from those of other histories */
  constructor(
    processes: readonly ServiceProcess[],
    keys: Readonly<Record<string, string>>,
    site: string,
    mark: string,
  ) {
    this.#processes = processes
    this.#keys = keys
    this.#site = site
    this.#mark = mark
  }

  /** Creates the items, and then writes and searches side by side as fast as the processes answer. */
  async tell({ importer, writers: others, searches }: History): Promise<void> {
    const writers = [importer, ...others]
    const target = { processes: this.#processes, site: this.#site, mark: this.#mark }
    this.#writers = writers.map((_, i) => new ItemWriter(target, `${this.#mark}-${i}`, this.#order))
    await Promise.all(writers.map(({ entries, products }, i) => this.#writers[i].createAll(entries, products)))
    await this.#settle()
    for (const { entries, products } of this.#writers) {
      for (const item of [...entries, ...products]) item.isIndexed = true
    }
    const writing = writers.map(async ({ steps }, i) => {
      for (const { process, write, search } of steps) {
        await this.#writers[i].send(write, process)
        if (search !== null) await this.#search(search)
      }
    })
    const searching = async (): Promise<void> => {
      for (const search of searches) await this.#search(search)
    }
    const ends = await Promise.allSettled([...writing, searching()])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    await this.#settle()
  }

  /** Searches until both processes have all texts. The judge then accepts nothing but the exact answer. */
  async #settle(): Promise<void> {
    for (const process of [0, 1] as const) {
      for (const ceiling of ['public', 'restricted'] as const) {
        const search: Search = { process, ceiling, query: '', entries: [], products: [] }
        await until(() => this.#search(search), 'no answer is behind')
      }
    }
  }

  /** Sends one search and judges its answer. @returns whether it has the latest texts */
  async #search({ process, ceiling, query, entries, products }: Search): Promise<boolean> {
    const sent = this.#order.next()
    const answer = await this.#processes[process].call('POST', '/api/knowledge/search', {
      key: this.#keys[ceiling],
      body: {
        query,
        mode: 'keyword',
        limit: LIMIT,
        knowledge: this.#options(ENTRIES, { field: 'tags', any_of: [this.#mark] }, entries),
        products: this.#options(PRODUCTS, { field: 'brand', any_of: [this.#mark] }, products),
      },
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const isBehind = answer.headers.has('x-search-behind')
    const shared = { ceiling, query, limit: LIMIT, sent, isBehind }
    const sections = answer.body.sections as readonly SectionAnswer[]
    const sectionOf = (name: string): SectionAnswer => sections.find(({ section }) => section === name)!
    const entryLogs = this.#writers.flatMap((writer) => writer.entries)
    const productLogs = this.#writers.flatMap((writer) => writer.products)
    judge(ENTRIES, entryLogs, { ...shared, conditions: entries }, sectionOf(ENTRIES.section))
    judge(PRODUCTS, productLogs, { ...shared, conditions: products }, sectionOf(PRODUCTS.section))
    return !isBehind
  }

  #options<State>(kind: ItemKind<State>, mark: Condition, conditions: readonly Condition[]): object {
    return { filter: { all: [mark, ...conditions] }, facets: kind.facets, fields: kind.fields }
  }
}
