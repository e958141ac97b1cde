import type {
  IndexChange,
  IndexDefinition,
  IndexDocument,
  IndexSource,
  IndexVersion,
} from '../../../src/search/engine.ts'
import { valuesOf } from './values.ts'

type Stored = IndexChange & ({ readonly put: IndexDocument } | { readonly remove: string })

/** Documents of tenants that a test changes, read like those of a database. */
export class ChangingSource implements IndexSource {
  readonly definition: IndexDefinition
  readonly values = valuesOf((version, after) => this.changes(version, after))
  /** The newest change of each document, by tenant. */
  readonly #changes = new Map<string, Map<string, Stored>>()
  readonly #batch: number
  #watermark = 0

  constructor(definition: IndexDefinition, batch = 7) {
    this.definition = definition
    this.#batch = batch
  }

  /**
   * Stores a document.
   * @returns the number of the change
   */
  put(tenantId: string, put: IndexDocument): number {
    return this.#add(tenantId, put.id, { seq: ++this.#watermark, put })
  }

  remove(tenantId: string, id: string): number {
    return this.#add(tenantId, id, { seq: ++this.#watermark, remove: id })
  }

  versionOf(tenantId: string, model: string | null = 'm'): IndexVersion {
    return { tenantId, index: this.definition.name, model, watermark: this.#watermark, engine: 'pgvector' }
  }

  /** Returns the documents of a tenant, and the change that each is from. */
  living(tenantId: string): { documents: IndexDocument[]; seqs: Map<string, number> } {
    const stored = [...(this.#changes.get(tenantId)?.values() ?? [])].filter((change) => 'put' in change)
    return {
      documents: stored.map(({ put }) => put),
      seqs: new Map(stored.map(({ seq, put }) => [put.id, seq])),
    }
  }

  async *changes({ tenantId }: IndexVersion, after: number): AsyncGenerator<readonly IndexChange[]> {
    const listed = [...(this.#changes.get(tenantId)?.values() ?? [])]
      .filter(({ seq }) => seq > after)
      .sort((a, b) => a.seq - b.seq)
    for (let at = 0; at < listed.length; at += this.#batch) {
      yield await Promise.resolve(listed.slice(at, at + this.#batch))
    }
  }

  #add(tenantId: string, id: string, change: Stored): number {
    const changes = this.#changes.get(tenantId) ?? new Map<string, Stored>()
    changes.set(id, change)
    this.#changes.set(tenantId, changes)
    return change.seq
  }
}
