/** Histories of values: writes to a source and searches beside them, which are checked against what the source had. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Filter, IndexDocument, SearchAnswer, SearchRequest } from '../../../src/search/engine.ts'
import { DEFINITION, documents, WORDS } from './documents.ts'
import { matches, naiveSearch, plainAnalyser } from './naive.ts'
import { assertSameAnswer } from './same-answer.ts'
import { document } from './source.ts'
import type { ValuedSource } from './valued-source.ts'

export function priced(id: string, title: string, size: number): IndexDocument {
  return { ...document(id, title), numbers: { size } }
}

export function secret(document: IndexDocument): IndexDocument {
  return { ...document, keys: { level: ['secret'] } }
}

export function idsOf({ hits }: SearchAnswer): string[] {
  return hits.map(({ id }) => id).toSorted()
}

export function upTo(size: number): Filter {
  return { number: 'size', above: null, below: size, orMissing: false }
}

/** Returns a gate that holds whoever passes it until it is opened. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { pass: () => promise, open: resolve }
}

const LEVELS = fc.constantFrom('public', 'internal', 'secret')

/** Makes the steps of a history: a write, or a search of one level for a word or for everything, or a pause. */
export function steps<Pause extends object>(pause: fc.WeightedArbitrary<Pause>) {
  const step = fc.oneof(
    { weight: 4, arbitrary: documents(1, 8).map((put) => ({ put })) },
    { weight: 6, arbitrary: documents(1, 8).map((values) => ({ values })) },
    { weight: 2, arbitrary: fc.nat(7).map((n) => ({ remove: `d${n}` })) },
    { weight: 4, arbitrary: fc.record({ level: LEVELS, word: fc.constantFrom('', ...WORDS) }) },
    pause,
  )
  return fc.array(step, { minLength: 10, maxLength: 60, size: 'max' })
}

type Write = { readonly put: IndexDocument } | { readonly values: IndexDocument } | { readonly remove: string }

export class ValueHistory {
  readonly #source: ValuedSource
  /** By id, each state of the document and the change that it is from. */
  readonly #states = new Map<string, { readonly seq: number; readonly document: IndexDocument | null }[]>()

  constructor(source: ValuedSource) {
    this.#source = source
  }

  write(write: Write): void {
    if ('put' in write) this.#note(write.put.id, this.#source.put(write.put))
    else if ('remove' in write) this.#note(write.remove, this.#source.remove(write.remove))
    else {
      const seq = this.#source.setValues(write.values.id, write.values)
      if (seq !== null) this.#note(write.values.id, seq)
    }
  }

  /**
   * Searches a level, for a word if there is one. Fails where the answer has an older value than when the search began,
   * or lacks a document without saying that it is behind, or finds one by a word that it never had on this level.
   */
  async search(
    plain: SearchRequest,
    { level, word }: { readonly level: string; readonly word: string },
    answerOf: (request: SearchRequest) => Promise<SearchAnswer>,
  ): Promise<void> {
    const source = this.#source
    const visible: Filter = { field: 'level', anyOf: [level] }
    const request: SearchRequest = { ...plain, query: word, mode: word === '' ? 'hybrid' : 'keyword', visible }
    const began = source.watermark
    const answer = await answerOf(request)
    const before = source.living
    const hits = new Set(answer.hits.map(({ id }) => id))
    const isVisible = (each: IndexDocument | null): boolean => each !== null && matches(visible, each)
    for (const [id, all] of this.#states) {
      // States that the document had since the search began; it may have had none when it began.
      const newest = all.findLastIndex(({ seq }) => seq <= began)
      const possible = [...(newest < 0 ? [null] : []), ...all.slice(Math.max(0, newest)).map((each) => each.document)]
      const isFound = (each: IndexDocument | null): boolean =>
        each !== null && naiveSearch(DEFINITION, [each], request, plainAnalyser).total > 0
      if (hits.has(id)) {
        assert.ok(possible.some(isVisible), `${id} was not ${level} since the search began`)
        assert.ok(
          all.some((each) => isFound(each.document)),
          `${id} never had the word ${word} as a document that was ${level}`,
        )
      } else if (answer.behind === undefined) assert.ok(!possible.every(isFound), `${id} is missing`)
    }
    if (answer.behind !== undefined || source.watermark !== began) return
    assertSameAnswer(answer, naiveSearch(DEFINITION, before, request, plainAnalyser), null)
  }

  #note(id: string, seq: number): void {
    this.#states.set(id, [...(this.#states.get(id) ?? []), { seq, document: this.#source.get(id) }])
  }
}
