import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestService } from '../../support/service.ts'
import { SAMPLE_ENTRIES } from './entries.ts'
import { fillProducts } from './products.ts'

const GUIDES = join(import.meta.dirname, '../../../docs/guides')

/** Content as a small company has it, for pictures and stories: German articles of a tool shop, English guides. */
export class Sample {
  readonly #entries: ReadonlyMap<string, string>
  readonly #categories: ReadonlyMap<string, string>
  readonly #products: ReadonlyMap<string, string>
  readonly #links = new Map<string, string>()
  readonly #people = new Map<string, string>()

  private constructor(
    entries: ReadonlyMap<string, string>,
    categories: ReadonlyMap<string, string>,
    products: ReadonlyMap<string, string>,
  ) {
    this.#entries = entries
    this.#categories = categories
    this.#products = products
  }

  /** Returns the id of the entry with this title. */
  entry(title: string): string {
    return idOf(this.#entries, title)
  }

  category(name: string): string {
    return idOf(this.#categories, name)
  }

  product(title: string): string {
    return idOf(this.#products, title)
  }

  /** Returns the part after `/console` of a link to a person, such as `/invitation#…`. */
  link(page: 'invitation' | 'new-password'): string {
    return idOf(this.#links, page)
  }

  /** Returns the id of the person with this address. */
  person(email: string): string {
    return idOf(this.#people, email)
  }

  /** Invites people, gives a link for a new password, and disables a person: the content of the pages of people. */
  async invite(service: TestService): Promise<void> {
    const { body: people } = await service.call('GET', '/api/knowledge/users')
    for (const { id, email } of people) this.#people.set(email, id)
    for (const invitation of INVITED) {
      const { body } = await service.call('POST', '/api/knowledge/invitations', { body: invitation })
      this.#links.set('invitation', pathOf(body.link))
    }
    const gone = await service.user({ email: 'gerd.gegangen@garten.example', role: 'editor' })
    const change = { name: 'Gerd Gegangen', ceiling: 'internal', disabled: true }
    await service.call('PATCH', `/api/knowledge/users/${gone.userId}`, { body: change })
    const { userId } = await service.user({ email: 'nele.neumann@garten.example', role: 'reader' })
    await service.call('PATCH', `/api/knowledge/users/${userId}`, { body: { name: 'Nele Neumann' } })
    const reset = await service.call('POST', `/api/knowledge/users/${userId}/password-reset`)
    this.#links.set('new-password', pathOf(reset.body.link))
  }

  /** Writes the sample into the tenant `default`, as its administrator. */
  static async fill(service: TestService): Promise<Sample> {
    const categories = new Map<string, string>()
    const entries = new Map<string, string>()
    const categoryOf = async (path: readonly string[]): Promise<string> => {
      const name = path.at(-1) ?? ''
      const existingId = categories.get(name)
      if (existingId !== undefined) return existingId
      const parentId = path.length > 1 ? await categoryOf(path.slice(0, -1)) : null
      const id = await create(service, '/api/knowledge/categories', { name, parent_id: parentId })
      categories.set(name, id)
      return id
    }
    const groups = new Map<string, string>()
    for (const { category, translates, ...entry } of SAMPLE_ENTRIES) {
      const body = {
        ...entry,
        category_id: await categoryOf(category),
        ...(translates === undefined ? {} : { translation_group_id: groups.get(translates) }),
      }
      const { body: stored, status } = await service.call('POST', '/api/knowledge/knowledge-entries', { body })
      if (status !== 201) throw new Error(`${entry.title}: ${JSON.stringify(stored)}`)
      groups.set(entry.title, stored.translation_group_id)
      entries.set(entry.title, stored.id)
    }
    for (const file of readdirSync(GUIDES).filter((name) => name.endsWith('.md'))) {
      const content = readFileSync(join(GUIDES, file), 'utf8')
      const title = /^# (.*)$/m.exec(content)?.[1] ?? file
      const body = {
        title,
        content,
        language: 'en',
        visibility: 'public',
        category_id: await categoryOf(['IT', 'Guides']),
      }
      entries.set(title, await create(service, '/api/knowledge/knowledge-entries', body))
    }
    return new Sample(entries, categories, await fillProducts(service))
  }
}

const INVITED = [
  { email: 'karla.kundendienst@garten.example', role: 'editor', ceiling: 'internal' },
  { email: 'wolfgang@garten.example', role: 'reader' },
]

/** Returns a link's path within the console, with its token; empty when the link was mailed. */
const pathOf = (link: string | null): string => link?.replace(/^.*\/console/, '') ?? ''

async function create(service: TestService, path: string, body: object): Promise<string> {
  const answer = await service.call('POST', path, { body })
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The sample has no ${name}`)
  return id
}
