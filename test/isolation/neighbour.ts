import assert from 'node:assert/strict'
import fc from 'fast-check'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser, revokeApiKey } from '../../src/identity/administration/end-access.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import type { TestService } from '../support/service.ts'
import { ask, type Question, type RawAnswer } from './answers.ts'
import { ACTIONS, VISIBILITIES } from './model.ts'
import { COMMON_WORD, ENTRIES, type Realm } from './world.ts'

const KINDS = [
  'create',
  'long',
  'update',
  'delete',
  'restore',
  'purge',
  'bulk',
  'category',
  'drop category',
  'project',
  'drop project',
  'workspace',
  'key',
  'user',
  'site',
  'drop site',
  'site knowledge',
  'product',
  'products',
  'drop product',
  'merchandising',
  'search',
  'click',
  'settings',
  'host',
  'trespass',
] as const

/** One action of a tenant. Numbers and words select what it acts on and writes; the action may be refused. */
export interface Step {
  readonly kind: (typeof KINDS)[number]
  readonly pick: number
  readonly words: readonly string[]
}

/** Words of the other tenant's entries among others, so that shared statistics would change. */
const WORDS = [
  COMMON_WORD,
  'mehr',
  'Text',
  'auf',
  'der',
  'Insel',
  'Eintrag',
  'public',
  'seltenes',
  'Wort',
  'the',
  'sea',
]

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(1_000),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
})

/** A tenant that acts at random next to another one whose ids it knows. */
export class Neighbour {
  readonly #service: TestService
  readonly #other: Realm
  readonly #key: string
  readonly #entries: string[] = []
  readonly #categories: string[]
  readonly #projects: string[] = []
  readonly #sites: string[] = []
  readonly #products: string[] = []
  readonly #searches: string[] = []
  #users = 0
  /** Kinds of steps that succeeded at least once. */
  readonly done = new Set<string>()

  private constructor(service: TestService, other: Realm, key: string, category: string) {
    this.#service = service
    this.#other = other
    this.#key = key
    this.#categories = [category]
  }

  static async move(service: TestService, other: Realm): Promise<Neighbour> {
    await service.tenant('neighbour')
    const { key } = await service.user({ tenant: 'neighbour', email: `owner@${other.tenant}.example` })
    return new Neighbour(service, other, key, await service.category('Oben', key))
  }

  async take(step: Step): Promise<void> {
    if (await this.#act(step)) this.done.add(step.kind)
  }

  /**
   * Carries out a step.
   * @returns whether it was done
   */
  async #act({ kind, pick, words }: Step): Promise<boolean> {
    const text = words.join(' ')
    const [entry, project, category] = [this.#entries, this.#projects, this.#categories].map(
      (ids) => ids[pick % ids.length] ?? this.#other.ids.entry_id,
    )
    switch (kind) {
      case 'create':
        return this.#create(ENTRIES, this.#entry(pick, words), this.#entries)
      case 'long': {
        // Too long to be embedded during the write, so that it goes through the queue.
        const content = `${text}. `.repeat(Math.ceil(21_000 / (text.length + 2)))
        return this.#create(ENTRIES, { ...this.#entry(pick, words), content }, this.#entries)
      }
      case 'update':
        return isDone(await this.#send('PATCH', `${ENTRIES}/${entry}`, { content: text }))
      case 'delete':
        return isDone(await this.#send('DELETE', `${ENTRIES}/${entry}`))
      case 'restore':
        return isDone(await this.#send('POST', `/api/knowledge/bin/${entry}/restore`))
      case 'purge':
        return isDone(await this.#send('DELETE', `/api/knowledge/bin/${entry}`))
      case 'bulk': {
        const lines = words.map((_, i) => {
          const { category_id, ...entry } = this.#entry(pick + i, words.slice(i))
          // Every second line names its category by a path, whose names the other tenant may have too.
          return JSON.stringify(
            i % 2 === 0 ? { ...entry, category_id } : { ...entry, category: words.slice(i).join('/') },
          )
        })
        return isDone(await this.#send('POST', `${ENTRIES}/bulk`, lines.join('\n'), true))
      }
      case 'category':
        return this.#create('/api/knowledge/categories', { name: text, parent_id: category }, this.#categories)
      case 'drop category': {
        // The first category stays, because without one nothing can be written.
        if (category === this.#categories[0]) return false
        const isGone = isDone(await this.#send('DELETE', `/api/knowledge/categories/${category}`))
        if (isGone) this.#categories.splice(this.#categories.indexOf(category), 1)
        return isGone
      }
      case 'project':
        await this.#create('/api/knowledge/projects', { name: text }, this.#projects)
        return isDone(
          await this.#send('POST', `/api/knowledge/projects/${this.#projects.at(-1)}/entries`, { entry_ids: [entry] }),
        )
      case 'drop project':
        return isDone(await this.#send('DELETE', `/api/knowledge/projects/${project}`))
      case 'workspace':
        return isDone(await this.#send('POST', '/api/knowledge/workspaces', { name: text }))
      case 'site': {
        // The first site has the slug of a site of the other tenant.
        const slug = this.#sites.length === 0 ? 'laden' : `laden-${pick}`
        return this.#create('/api/knowledge/sites', { slug, name: text, is_default: pick % 2 === 0 }, this.#sites)
      }
      case 'drop site':
        return this.#drop('/api/knowledge/sites', this.#sites, pick)
      case 'site knowledge': {
        const method = pick % 2 === 0 ? 'POST' : 'PUT'
        const site = this.#sites[pick % this.#sites.length] ?? this.#other.ids.site_id
        return isDone(await this.#send(method, `/api/knowledge/sites/${site}/knowledge`, { entry_ids: [entry] }))
      }
      case 'product': {
        const path = `/api/knowledge/products?site_id=${pick % 2 === 0 ? 'laden' : 'default'}`
        return this.#create(path, product(pick, words), this.#products)
      }
      case 'products': {
        const path = `/api/knowledge/products/bulk?site_id=${pick % 2 === 0 ? 'laden' : 'default'}&sync=full`
        const lines = words.map((_, i) => JSON.stringify(product(pick + i, words.slice(i))))
        return isDone(await this.#send('POST', path, lines.join('\n'), true))
      }
      case 'drop product':
        return this.#drop('/api/knowledge/products', this.#products, pick)
      case 'merchandising': {
        const site = this.#sites[pick % this.#sites.length] ?? this.#other.ids.site_id
        const rule = { name: text, action: pick % 2 === 0 ? 'hide' : 'bury', brands: ['Insel'] }
        const creation = await this.#send('POST', `/api/knowledge/sites/${site}/merchandising`, rule)
        const words = { synonyms: [{ words: [COMMON_WORD, text] }], stop_words: ['Holz'] }
        return isDone(await this.#send('PUT', '/api/knowledge/search-vocabulary', words)) && isDone(creation)
      }
      case 'click': {
        // Also on the other tenant's search and its hits.
        const search = this.#searches[pick % (2 * this.#searches.length)] ?? this.#other.ids.search_log_id
        const hit = pick % 3 === 0 ? entry : this.#other.ids.entry_id
        const body = { search_log_id: search, action: 'click', product_id: hit, section: 'knowledge' }
        return isDone(await this.#send('POST', '/api/knowledge/search/clicks', body))
      }
      case 'search': {
        const mode = (['semantic', 'keyword', 'hybrid'] as const)[pick % 3]
        const body = { query: text, mode, explain: true, project_id: pick % 2 === 0 ? null : project }
        const answer = await this.#send('POST', `${ENTRIES}/search`, body)
        await this.#send('POST', '/api/knowledge/search', { query: text, mode })
        if (isDone(answer)) this.#searches.push(answer.headers.get('x-search-log-id')!)
        return isDone(answer)
      }
      case 'trespass':
        return this.#trespass(pick)
      default:
        await this.#administer(kind, pick)
        return true
    }
  }

  /** Acts on the command line like the tenant's operator. */
  async #administer(kind: 'key' | 'user' | 'settings' | 'host', pick: number): Promise<void> {
    const { database } = this.#service
    const even = pick % 2 === 0
    if (kind === 'key') {
      const key = { name: 'k', scopes: [...ACTIONS, 'visibility:restricted'], userId: null, expiresAt: null }
      const { id } = await issueApiKey(database, 'neighbour', key)
      if (even) await revokeApiKey(database, 'neighbour', id)
    } else if (kind === 'user') {
      const email = `user${++this.#users}@${this.#other.tenant}.example`
      const { userId } = await this.#service.user({ tenant: 'neighbour', email, role: 'reader' })
      await changeUser(database, 'neighbour', userId, { role: 'editor', disabled: even })
    } else if (kind === 'settings') {
      const settings = { vectorWeight: String(pick % 10), language: even ? 'en' : 'de', workspaces: String(even) }
      await changeTenant(database, 'neighbour', { settings })
    } else {
      await changeTenant(database, 'neighbour', { host: `h${pick}.example` })
      await changeTenant(database, 'neighbour', { host: null })
    }
  }

  /** Tries to change the other tenant's things by their ids. */
  async #trespass(pick: number): Promise<boolean> {
    const { ids, subjects } = this.#other
    const { id } = subjects[pick % subjects.length]
    const answers = await Promise.all([
      this.#send('PATCH', `${ENTRIES}/${id}`, { title: 'mine now' }),
      this.#send('DELETE', `${ENTRIES}/${id}`),
      this.#send('POST', `/api/knowledge/bin/${id}/restore`),
      this.#send('DELETE', `/api/knowledge/bin/${id}`),
      this.#send('PUT', `/api/knowledge/projects/${ids.project_id}/entries`, { entry_ids: [id] }),
      this.#send('PATCH', `/api/knowledge/categories/${ids.category_id}`, { name: 'mine now' }),
      this.#send('DELETE', `/api/knowledge/workspaces/${ids.workspace_id}`),
      this.#send('PATCH', `/api/knowledge/sites/${ids.site_id}`, { name: 'mine now', is_default: true }),
      this.#send('DELETE', `/api/knowledge/sites/${ids.site_id}/knowledge`),
      this.#send('DELETE', `/api/knowledge/sites/${ids.site_id}/knowledge/${id}`),
      this.#send('DELETE', `/api/knowledge/products/${ids.product_id}`),
      this.#send('DELETE', `/api/knowledge/sites/${ids.site_id}/merchandising/${ids.rule_id}`),
    ])
    for (const { status, text } of answers) assert.equal(status, 404, text)
    const products = `site_id=${ids.site_id}&sync=full`
    const pushed = await Promise.all([
      this.#send('POST', `/api/knowledge/products?site_id=${ids.site_id}`, product(pick, ['mine now'])),
      this.#send('POST', `/api/knowledge/products/bulk?${products}`, product(pick, ['mine now']), true),
    ])
    for (const { status, text } of pushed) assert.equal(status, 422, text)
    return true
  }

  /** Returns an entry with the same names as an entry of the other tenant, wherever names are free. */
  #entry(pick: number, words: readonly string[]): { readonly category_id: string } & Record<string, unknown> {
    const { group, subjects } = this.#other
    const visibility = VISIBILITIES[pick % 5]
    return {
      title: words.join(' '),
      content: words.toReversed().join(' '),
      category_id: this.#categories[pick % this.#categories.length],
      visibility,
      tags: ['insel'],
      layer: 'küste',
      search_keywords: [...new Set(words)],
      source_reference: `quelle/${subjects[pick % subjects.length].name}`,
      translation_group_id: group,
    }
  }

  async #drop(path: string, ids: string[], pick: number): Promise<boolean> {
    if (ids.length === 0) return false
    const at = pick % ids.length
    const isGone = isDone(await this.#send('DELETE', `${path}/${ids[at]}`))
    if (isGone) ids.splice(at, 1)
    return isGone
  }

  async #create(path: string, body: object, ids: string[]): Promise<boolean> {
    const answer = await this.#send('POST', path, body)
    if (answer.status === 201) ids.push(answer.json.id)
    return answer.status === 201
  }

  async #send(method: string, path: string, body?: unknown, ndjson = false): Promise<RawAnswer> {
    const question: Question = { method, path, body, ndjson }
    const answer = await ask(this.#service, { authorization: `Bearer ${this.#key}` }, question)
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.text}`)
    return answer
  }
}

/** Returns a product with the name and hash of another product: the other tenant's, its variant's, or its own. */
function product(pick: number, words: readonly string[]): object {
  return {
    title: words.join(' '),
    description: words.toReversed().join(' '),
    language: 'de',
    brand: 'Insel',
    external_id: ['holz', 'holz-rot', `holz-${pick}`][pick % 3],
    parent_external_id: pick % 3 === 1 ? 'holz' : null,
    sync_hash: pick % 2 === 0 ? 'gleich' : null,
    search_keywords: [...new Set(words)],
  }
}

function isDone({ status }: RawAnswer): boolean {
  return status < 300
}
