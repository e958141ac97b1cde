import type { ThreadHealth } from '../../platform/threads/supervisor.ts'
import { ContextualReader, type ContextualReaderOptions } from './contextual-reader.ts'
import type { ModelForm } from './model-form.ts'
import type { Purpose, Reading, ReadOptions, TextReader } from './reader.ts'

/** Reads texts with the model that ships with the service, and with models of the operator's, each in its own thread. */
export class Readers implements TextReader {
  readonly #options: ContextualReaderOptions
  readonly #own: ContextualReader
  /** Readers of other models, by the paths of their files. */
  readonly #others = new Map<string, ContextualReader>()

  constructor(options: ContextualReaderOptions) {
    this.#options = options
    this.#own = new ContextualReader(options)
  }

  get absence(): string | null {
    return this.#own.absence
  }

  get trouble(): string | null {
    return this.#own.trouble
  }

  get health(): ThreadHealth {
    const each = this.#all().map(({ health }) => health)
    return {
      name: each[0].name,
      isDown: each.some(({ isDown }) => isDown),
      restarts: each.reduce((sum, { restarts }) => sum + restarts, 0),
    }
  }

  read(texts: readonly string[], purpose: Purpose, options: ReadOptions = {}): Promise<Reading> {
    return this.#readerOf(options.form).read(texts, purpose, options)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((reader) => reader.close()))
  }

  #all(): ContextualReader[] {
    return [this.#own, ...this.#others.values()]
  }

  #readerOf(form: ModelForm | undefined): ContextualReader {
    if (form === undefined) return this.#own
    let reader = this.#others.get(form.file)
    if (reader === undefined) {
      reader = new ContextualReader({ ...this.#options, form })
      this.#others.set(form.file, reader)
    }
    return reader
  }
}
