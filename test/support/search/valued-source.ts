import type {
  DocumentValues,
  IndexChange,
  IndexDefinition,
  IndexDocument,
  IndexSource,
  IndexVersion,
  ValueChange,
} from '../../../src/search/engine.ts'
import { putOf, valueChangeOf, withValues } from './values.ts'

interface Stored {
  readonly seq: number
  readonly textSeq: number
  /** Null for a removed document. */
  readonly document: IndexDocument | null
}

/** Documents of one tenant that a test changes, whose values are read apart from their texts. */
export class ValuedSource implements IndexSource {
  readonly definition: IndexDefinition
  readonly #stored = new Map<string, Stored>()
  readonly #batch: number
  /** What a copy of the database has, from which whole documents are read; null without a copy. */
  #copy: ReadonlyMap<string, Stored> | null = null
  watermark = 0
  /** Is awaited before texts are read. */
  beforeTexts: () => Promise<unknown> = () => Promise.resolve()
  /** Is awaited before documents are counted. */
  beforeCount: () => Promise<unknown> = () => Promise.resolve()
  /** Is awaited before values are read. */
  beforeValues: () => Promise<unknown> = () => Promise.resolve()
  /** Ids of the documents whose texts were read after the build. */
  readonly textsRead: string[] = []

  constructor(definition: IndexDefinition, batch = 3) {
    this.definition = definition
    this.#batch = batch
  }

  put(document: IndexDocument): number {
    const seq = ++this.watermark
    this.#store(document.id, { seq, textSeq: seq, document })
    return seq
  }

  /** Gives a document other values. @returns the number of the change; null for a document that is not there */
  setValues(id: string, values: DocumentValues): number | null {
    const before = this.#stored.get(id)
    if (before === undefined || before.document === null) return null
    const seq = ++this.watermark
    this.#store(id, { seq, textSeq: before.textSeq, document: withValues(before.document, values) })
    return seq
  }

  remove(id: string): number {
    const seq = ++this.watermark
    this.#store(id, { seq, textSeq: seq, document: null })
    return seq
  }

  /** From now on a copy of the database answers for all changes, and gets none of the later ones. */
  freezeCopy(): void {
    this.#copy = new Map(this.#stored)
    this.values.mayLag = true
  }

  get(id: string): IndexDocument | null {
    return this.#stored.get(id)?.document ?? null
  }

  get living(): IndexDocument[] {
    return [...this.#stored.values()].flatMap(({ document }) => document ?? [])
  }

  versionOf(watermark = this.watermark): IndexVersion {
    return { tenantId: 't', index: this.definition.name, model: 'm', watermark }
  }

  async *changes(_version: IndexVersion, after: number): AsyncGenerator<readonly IndexChange[]> {
    for (let from = after, isWhole = false; !isWhole;) {
      isWhole = true
      const documents = this.#copy ?? this.#stored
      for (const batch of this.#batches(documents, from)) {
        await this.beforeTexts()
        // A document that has changed since it was listed is listed again under its new number.
        const same = batch.filter(([id, stored]) => documents.get(id) === stored)
        if (same.length < batch.length) isWhole = false
        from = batch[batch.length - 1][1].seq
        yield same.map(([id, stored]) => changeOf(id, stored))
      }
    }
  }

  readonly values = {
    mayLag: false,
    changes: (_version: IndexVersion, after: number) => this.#valueChanges(after),
    documents: async (_version: IndexVersion, ids: readonly string[], last: number): Promise<IndexChange[]> => {
      await this.beforeTexts()
      const read = ids.flatMap((id) => {
        const stored = this.#stored.get(id)
        return stored === undefined || stored.document === null || stored.seq > last ? [] : [changeOf(id, stored)]
      })
      this.textsRead.push(...ids)
      await this.beforeTexts()
      return read
    },
    count: async (): Promise<number> => {
      await this.beforeCount()
      return this.living.length
    },
  }

  async *#valueChanges(after: number): AsyncGenerator<readonly ValueChange[]> {
    await this.beforeValues()
    for (const batch of this.#batches(this.#stored, after)) {
      yield batch.map(([id, stored]) => valueChangeOf(changeOf(id, stored)))
      await this.beforeValues()
    }
  }

  #batches(documents: ReadonlyMap<string, Stored>, after: number): [string, Stored][][] {
    const listed = [...documents].filter(([, { seq }]) => seq > after).sort(([, a], [, b]) => a.seq - b.seq)
    return Array.from({ length: Math.ceil(listed.length / this.#batch) }, (_, i) =>
      listed.slice(i * this.#batch, (i + 1) * this.#batch),
    )
  }

  #store(id: string, stored: Stored): void {
    this.#stored.set(id, stored)
  }
}

function changeOf(id: string, { seq, textSeq, document }: Stored): IndexChange {
  return document === null ? { seq, remove: id } : { ...putOf(seq, document), textSeq }
}
