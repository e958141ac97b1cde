import { join } from 'node:path'
import { Accounts } from '../../test/trials/accounts.ts'
import { Journal } from '../../test/trials/journal.ts'
import { markIn } from '../../test/trials/writes/kind.ts'
import type { Send } from './load.ts'

const PAGE = 200

interface Stored {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly external_id: string
  readonly description: string
}

/** Result of a comparison of the ledger with the service. */
export interface Comparison {
  readonly acknowledged: number
  /** Number of entries and products that are there. */
  readonly present: number
  /** Entries and products that are not as they were acknowledged, or are there twice. */
  readonly wrong: readonly string[]
}

/** Records, outside the service, what clients were told of the entries and products that they wrote. */
export class Ledger {
  readonly entries: Accounts
  readonly products: Accounts
  readonly #journal: Journal

  /**
   * Opens a new ledger.
   * @param folder folder for the ledger's file
   */
  constructor(folder: string) {
    const journal = new Journal(join(folder, 'ledger.jsonl'))
    this.#journal = journal
    // No fault kills the process that keeps the ledger, so no write has to wait for the disk.
    const notes = { note: (event: object) => journal.note(event), acknowledge: (event: object) => journal.note(event) }
    this.entries = new Accounts('soak-entry', notes)
    this.products = new Accounts('soak-product', notes)
  }

  get path(): string {
    return this.#journal.path
  }

  /** Reads all entries and products that were written, and compares them with the ledger. */
  async compare(send: Send, headers: Readonly<Record<string, string>>): Promise<Comparison> {
    const entries = (await everything(send, headers, '/api/knowledge/knowledge-entries'))
      .filter(({ title }) => title.startsWith('soak-entry-'))
      .map(({ id, title, content }) => ({ id, name: title, mark: markIn(content) }))
    const products = (await everything(send, headers, '/api/knowledge/products')).map(
      ({ id, external_id: name, description }) => ({ id, name, mark: markIn(description) }),
    )
    return {
      acknowledged: this.entries.acknowledged + this.products.acknowledged,
      present: entries.length + products.length,
      wrong: [...this.entries.differences(entries), ...this.products.differences(products)],
    }
  }

  close(): void {
    this.#journal.close()
  }
}

/** Returns every page of a list. */
async function everything(send: Send, headers: Readonly<Record<string, string>>, path: string): Promise<Stored[]> {
  const items: Stored[] = []
  for (let next: string | null = `${path}?limit=${PAGE}`; next !== null;) {
    const { status, text, link } = await send({ method: 'GET', path: next, headers, isRepeatable: true })
    if (status !== 200) throw new Error(`${next} answered ${status}: ${text}`)
    items.push(...(JSON.parse(text) as Stored[]))
    const address: string | undefined = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1]
    next = address === undefined ? null : address.replace(/^https?:\/\/[^/]+/, '')
  }
  return items
}
