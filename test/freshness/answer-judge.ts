/** Judges answers to searches by the writes before and beside them. */
import assert from 'node:assert/strict'
import type { OrderedVisibility } from '../../src/platform/access/visibility.ts'
import { type Condition, holds, isWithin, type ItemKind, type Range, type WantedFacet } from './item-kinds.ts'
import type { ItemLog } from './item-log.ts'

/** A search of one section, as far as its answer is judged. */
export interface SectionSearch {
  readonly ceiling: OrderedVisibility
  readonly query: string
  readonly conditions: readonly Condition[]
  /** Most hits of the answer. */
  readonly limit: number
  /** Event at which the search was sent. */
  readonly sent: number
  /** Whether the answer says that it lacks the latest texts. */
  readonly isBehind: boolean
}

interface FacetAnswer {
  readonly field: string
  readonly values?: readonly { readonly value: string; readonly count: number }[]
  readonly ranges?: readonly (Range & { readonly count: number })[]
}

export interface SectionAnswer {
  readonly section: string
  readonly total: number
  readonly hits: readonly Readonly<Record<string, unknown>>[]
  readonly facets: readonly FacetAnswer[]
}

/**
 * Fails unless the hits, the total and each count of a section are possible: everything in them is of states that the
 * items had since the search was sent, or of the last one before. It has to be called as soon as the answer was read.
 */
export function judge<State extends { readonly word: string }>(
  kind: ItemKind<State>,
  items: readonly ItemLog<State>[],
  search: SectionSearch,
  answer: SectionAnswer,
): void {
  const judged = items.map((item) => new JudgedItem(kind, item, search))
  const count = (what: string, counted: number, isCounted: (state: State) => boolean, but: string | null): void => {
    const certain = judged.filter((item) => item.isCertain(isCounted, but))
    const possible = judged.filter((item) => item.isPossible(isCounted, but))
    const context = `${what} of ${kind.section} is ${counted}, for ${JSON.stringify(search)}`
    if (counted < certain.length) assert.fail(`${context}, but these count: ${describeAll(certain).join()}`)
    if (counted > possible.length) assert.fail(`${context}, but only these may count: ${describeAll(possible).join()}`)
  }
  judgeHits(kind, judged, search, answer)
  count('total', answer.total, () => true, null)
  for (const [i, facet] of kind.facets.entries()) {
    const counts = countsOf(answer.facets[i])
    for (const [label, isCounted] of labelsOf(kind, items, facet)) {
      count(`${facet.field} ${label}`, counts.get(label) ?? 0, isCounted, facet.field)
      counts.delete(label)
    }
    assert.deepEqual([...counts], [], `values of ${facet.field} that no item ever had`)
  }
}

function judgeHits<State extends { readonly word: string }>(
  kind: ItemKind<State>,
  judged: readonly JudgedItem<State>[],
  search: SectionSearch,
  { hits, total }: SectionAnswer,
): void {
  const byName = new Map(judged.map((item) => [item.name, item]))
  const names = new Set<string>()
  for (const hit of hits) {
    const { [kind.nameField]: name, ...shown } = hit[kind.hitField] as Record<string, unknown>
    const item = byName.get(name as string)
    const context = `${JSON.stringify(hit[kind.hitField])} for ${JSON.stringify(search)}`
    assert.ok(item !== undefined, `a hit of an item that no writer wrote: ${context}`)
    assert.ok(!names.has(item.name), `a hit twice: ${context}`)
    if (!item.mayShow(shown))
      assert.fail(`a hit in a state that was over when the search began: ${context}: ${item.describe()}`)
    names.add(item.name)
  }
  assert.ok(hits.length <= total, 'more hits than the total')
  if (total > search.limit) return
  const missing = judged.filter((item) => item.isCertain(() => true, null) && !names.has(item.name))
  assert.deepEqual(describeAll(missing), [], `hits that are missing for ${JSON.stringify(search)}`)
}

/** An item with the states in which a search may have seen it. */
class JudgedItem<State extends { readonly word: string }> {
  readonly name: string
  readonly #kind: ItemKind<State>
  readonly #search: SectionSearch
  readonly #states: readonly (State | null)[]
  /** Audiences that saw the item with the word of the search. */
  readonly #readers: ReadonlySet<string>
  readonly #isIndexed: boolean

  constructor(kind: ItemKind<State>, item: ItemLog<State>, search: SectionSearch) {
    this.name = item.name
    this.#kind = kind
    this.#search = search
    this.#states = item.statesSince(search.sent)
    const states = item.states.filter((state) => state !== null)
    const audiencesOf = (some: readonly State[]) => new Set(some.map((state) => kind.audienceOf(state)))
    this.#readers = audiencesOf(states.filter(({ word }) => word === search.query))
    // An item whose audience has changed is out of an index that lacks its text.
    this.#isIndexed = item.isIndexed && audiencesOf(states).size === 1
  }

  /**
   * Tells whether the search may have found the item in a state that is to be counted.
   * @param but field whose conditions do not count; null if all do
   */
  isPossible(isCounted: (state: State) => boolean, but: string | null): boolean {
    const isByFormerWord = this.#search.query !== '' && this.#search.isBehind
    return this.#states.some((state) => {
      if (!this.#matches(state, but) || !isCounted(state!)) return false
      return !isByFormerWord || this.#readers.has(this.#kind.audienceOf(state!))
    })
  }

  /** Tells whether the search must have found the item, in a state that is to be counted. */
  isCertain(isCounted: (state: State) => boolean, but: string | null): boolean {
    // An answer that is behind finds items by former words, and does not find new ones.
    if (this.#search.isBehind && (this.#search.query !== '' || !this.#isIndexed)) return false
    return this.#states.every((state) => this.#matches(state, but) && isCounted(state!))
  }

  /** Tells whether a hit may show the item so: as it was when it matched, or as a later write made it. */
  mayShow(shown: Readonly<Record<string, unknown>>): boolean {
    if (!this.isPossible(() => true, null)) return false
    const first = this.#states.findIndex((state) => this.#matches(state, null))
    return this.#states.slice(first).some((state) => {
      if (state === null) return false
      return Object.entries(this.#kind.shownOf(state)).every(([field, value]) => shown[field] === value)
    })
  }

  /** Returns the name and the states, for messages. */
  describe(): string {
    return `${this.name} ${JSON.stringify(this.#states)}`
  }

  #matches(state: State | null, but: string | null): boolean {
    const { ceiling, conditions, query, isBehind } = this.#search
    if (state === null || !this.#kind.isVisible(state, ceiling)) return false
    if (query !== '' && !isBehind && state.word !== query) return false
    return conditions.every((condition) => condition.field === but || holds(this.#kind, state, condition))
  }
}

function describeAll<State extends { readonly word: string }>(items: readonly JudgedItem<State>[]): string[] {
  return items.map((item) => item.describe())
}

/** Returns the counts of a facet, by its values or by labels of its ranges. */
function countsOf({ values = [], ranges = [] }: FacetAnswer): Map<string, number> {
  return new Map([
    ...values.map(({ value, count }) => [value, count] as const),
    ...ranges.map(({ count, ...range }) => [labelOf(range), count] as const),
  ])
}

/** Returns, for each value or range that a facet may count, a test of whether it counts an item in a state. */
function labelsOf<State extends { readonly word: string }>(
  kind: ItemKind<State>,
  items: readonly ItemLog<State>[],
  { field, ranges }: WantedFacet,
): Map<string, (state: State) => boolean> {
  const valueOf = (state: State) => kind.valuesOf(state)[field]
  if (ranges !== undefined) {
    return new Map(ranges.map((range) => [labelOf(range), (state) => isWithin(valueOf(state), range)]))
  }
  const states = items.flatMap((item) => item.states).filter((state) => state !== null)
  const values = new Set(states.map(valueOf).filter((value) => value !== null))
  return new Map([...values].map((value) => [String(value), (state) => valueOf(state) === value]))
}

function labelOf({ from, to }: Range): string {
  return `from ${from} to ${to}`
}
