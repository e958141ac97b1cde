import { FAULTS_MAX, shorten } from '../../platform/contract/check-faults.ts'
import { isUnchecked, type Unchecked } from '../../platform/contract/unchecked.ts'
import { Fault, type FaultDetail } from '../../platform/faults.ts'
import { PATH_SEPARATOR } from '../indexing/category-path.ts'
import type { FacetRequest, Facets } from '../engine.ts'
import type { Facet } from './contract.ts'
import { fieldOf, type KeyField, namesOf, type NumberField, type SearchFields } from './fields.ts'
import { boundKindOf } from './filter.ts'
import { type BoundKind, boundIn, boundWords, doubleBelow, isBelowAll, reversed } from './numbers.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const RANGES_MAX = 50
const MEMBERS = ['field', 'limit', 'ranges', 'hierarchy']

/** A range as it is in the request: `from` is inclusive, `to` exclusive. */
interface RequestedRange {
  readonly from?: number | string
  readonly to?: number | string
}

/** A facet of a request, checked and with the names of the index. Either `key` or `number` is null. */
export interface CompiledFacet {
  /** Name of the field in the request. */
  readonly field: string
  /** Most values in the answer. */
  readonly limit: number
  /** Form of the tree whose whole subtrees are counted: ids of categories, or paths; null for single values. */
  readonly hierarchy: 'categories' | 'path' | null
  /** Name in the index of the values to count; null for numbers. */
  readonly key: string | null
  /** The count of numbers; null for values. */
  readonly number: FacetRequest['numbers'][number] | null
  /** Whether the answer writes the numbers as dates and times. */
  readonly isMoment: boolean
  /** Ranges of the request; null without any. */
  readonly ranges: readonly RequestedRange[] | null
}

/**
 * Checks and compiles the facets of a request.
 * @param place place of the facets in the request, for faults
 * @throws Fault invalid with every fault at its place
 */
export function compileFacets(
  requested: readonly unknown[],
  fields: SearchFields,
  place: readonly string[],
): CompiledFacet[] {
  const faults: FaultDetail[] = []
  const facets = requested.map((each, i) => compileFacet(each, fields, [...place, `${i}`], faults))
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
  // A null stands for a facet with a fault, and there was none.
  return facets as CompiledFacet[]
}

/** Compiles one facet and adds its faults to `faults`. @returns null for a facet that cannot be compiled */
function compileFacet(
  requested: unknown,
  fields: SearchFields,
  place: readonly string[],
  faults: FaultDetail[],
): CompiledFacet | null {
  const fault = (loc: readonly string[], type: string, msg: string): null => {
    faults.push({ loc: [...place, ...loc], type, msg })
    return null
  }
  if (!isUnchecked(requested)) return fault([], 'dict_type', 'Input should be a valid dictionary')
  for (const key of Object.keys(requested)) {
    if (!MEMBERS.includes(key)) fault([shorten(key)], 'extra_forbidden', `Input should be ${MEMBERS.join(', ')}`)
  }
  const { field: name, limit = LIMIT_DEFAULT, hierarchy = false } = requested
  if (name === undefined) return fault(['field'], 'missing', 'Field required')
  const field = typeof name === 'string' ? fieldOf(fields, name) : null
  if (typeof name !== 'string' || field === null || (field !== 'property' && !isCounted(field))) {
    return fault(['field'], 'enum', `Input should be ${namesOf(fields, isCounted)}`)
  }
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > LIMIT_MAX) {
    fault(['limit'], 'int_type', `Input should be a whole number from 1 to ${LIMIT_MAX}`)
  }
  if (typeof hierarchy !== 'boolean') fault(['hierarchy'], 'bool_type', 'Input should be a valid boolean')
  const tree = field === 'property' || field.kind !== 'key' ? undefined : field.tree
  if (hierarchy === true && tree === undefined) fault(['hierarchy'], 'value_error', 'Only categories form a tree')
  // Neither a flag nor a title is left: `isCounted` is false for both.
  const ranges = rangesIn(requested, field as KeyField | NumberField | 'property', fault)
  const base = { field: name, limit: limit as number }
  if (ranges !== null || (field !== 'property' && field.kind === 'number')) {
    const { number, instead, isMoment = areDates(ranges) } = numberOf(name, field as NumberField | 'property')
    const bounds = (ranges ?? []).map(({ above, below }) => ({ above, below }))
    const numberRequest = { field: number, ranges: bounds, ...(instead === undefined ? {} : { instead }) }
    return {
      ...base,
      hierarchy: null,
      key: null,
      number: numberRequest,
      isMoment,
      ranges: ranges?.map(withoutBounds) ?? null,
    }
  }
  const key = field === 'property' ? name : ((field as KeyField).property ?? (field as KeyField).key)
  const isTree = hierarchy === true && tree !== undefined
  const kind = !isTree ? null : tree === 'categories' ? 'categories' : 'path'
  const countedKey = isTree && tree !== 'categories' ? tree.property : key
  return { ...base, hierarchy: kind, key: countedKey, number: null, isMoment: false, ranges: null }
}

const isCounted = (field: { readonly kind: string; readonly isCounted?: boolean }): boolean =>
  field.kind === 'number' || (field.kind === 'key' && field.isCounted === true)

function numberOf(name: string, field: NumberField | 'property'): Omit<NumberField, 'kind'> {
  return field === 'property' ? { number: name } : field
}

/** Tells whether any range has a date as its bound. Then the numbers of a property are moments too. */
function areDates(ranges: readonly RequestedRange[] | null): boolean {
  return ranges?.some(({ from, to }) => typeof from === 'string' || typeof to === 'string') ?? false
}

/** A range with the engine's bounds: over `above` and at most `below`; null for no bound. */
interface Range extends RequestedRange {
  readonly above: number | null
  readonly below: number | null
}

function withoutBounds({ from, to }: Range): RequestedRange {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** Returns the ranges of a facet; null without any. */
function rangesIn(
  { ranges }: Unchecked,
  field: KeyField | NumberField | 'property',
  fault: (loc: readonly string[], type: string, msg: string) => null,
): Range[] | null {
  if (ranges === undefined) return null
  if (field !== 'property' && field.kind === 'key') {
    return fault(['ranges'], 'value_error', 'Only numbers and dates have ranges')
  }
  if (!Array.isArray(ranges)) return fault(['ranges'], 'list_type', 'Input should be a valid list')
  if (ranges.length > RANGES_MAX) return fault(['ranges'], 'too_long', `List should have at most ${RANGES_MAX} items`)
  const kind = boundKindOf(field)
  return (ranges as unknown[]).map((range, i) => {
    const at = ['ranges', `${i}`]
    if (!isUnchecked(range)) {
      fault(at, 'dict_type', 'Input should be a valid dictionary')
      return { above: null, below: null }
    }
    for (const key of Object.keys(range)) {
      if (key !== 'from' && key !== 'to') fault([...at, shorten(key)], 'extra_forbidden', 'Input should be from or to')
    }
    const above = boundAt(range.from, [...at, 'from'], kind, fault)
    const below = boundAt(range.to, [...at, 'to'], kind, fault)
    if (above !== null && below !== null && above > below) fault([...at, 'to'], ...reversed(range.from))
    // An empty range, since no number is over the largest one.
    const bounds = isBelowAll(below) ? { above: Number.MAX_VALUE, below: null } : { above, below }
    return { ...(range as RequestedRange), ...bounds }
  })
}

/** Returns a bound of a range as the engine's exclusive lower or inclusive upper bound; null without one. */
function boundAt(
  value: unknown,
  loc: readonly string[],
  kind: BoundKind,
  fault: (loc: readonly string[], type: string, msg: string) => null,
): number | null {
  if (value === undefined) return null
  const bound = boundIn(value, kind)
  return bound === null ? fault(loc, 'bound_type', boundWords(kind)) : doubleBelow(bound)
}

/**
 * Most values that the engine counts for one facet of categories. It must be high, because a category with few hits
 * adds to the count of a category above it that has many.
 */
const TREE_VALUES_MAX = 10_000

/** Returns the facets as a request to the engine, in their order. */
export function requestOf(facets: readonly CompiledFacet[]): FacetRequest {
  return {
    keys: facets.flatMap(({ key, limit, hierarchy }) =>
      key === null ? [] : [{ field: key, limit: hierarchy === 'categories' ? TREE_VALUES_MAX : limit }],
    ),
    numbers: facets.flatMap(({ number }) => (number === null ? [] : [number])),
  }
}

/**
 * Returns the engine's counts as the facets of an answer, in the order of `facets`. Facets of categories still have the
 * counts of single categories, not of subtrees.
 */
export function facetsOf(facets: readonly CompiledFacet[], { keys, numbers }: Facets): Facet[] {
  let [key, number] = [0, 0]
  return facets.map((facet): Facet => {
    if (facet.key !== null) return valuesFacet(facet, keys[key++].values)
    const { count, min, max, ranges } = numbers[number++]
    const written = (value: number | null) =>
      value === null || !facet.isMoment ? value : new Date(value).toISOString()
    return {
      field: facet.field,
      count,
      min: written(min),
      max: written(max),
      ...(facet.ranges === null ? {} : { ranges: facet.ranges.map((range, i) => ({ ...range, count: ranges[i] })) }),
    }
  })
}

function valuesFacet({ field, hierarchy }: CompiledFacet, values: Facets['keys'][number]['values']): Facet {
  if (hierarchy !== 'path') return { field, values: [...values] }
  return {
    field,
    values: values.map(({ value, count }) => {
      const end = value.lastIndexOf(PATH_SEPARATOR)
      const name = end < 0 ? value : value.slice(end + PATH_SEPARATOR.length)
      return { value, count, name, parent: end < 0 ? null : value.slice(0, end) }
    }),
  }
}
