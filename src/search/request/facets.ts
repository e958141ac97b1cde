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

/** A range as the caller wrote it: with its lower bound, without its upper one. */
interface AskedRange {
  readonly from?: number | string
  readonly to?: number | string
}

/** What a search counts for one facet. */
export interface AskedFacet {
  readonly field: string
  readonly limit: number
  /** Whether counts are of whole subtrees; `categories` are ids, `path` are texts. */
  readonly hierarchy: 'categories' | 'path' | null
  /** The name in the index of the values to count; null for numbers. */
  readonly key: string | null
  readonly number: FacetRequest['numbers'][number] | null
  readonly isMoment: boolean
  readonly ranges: readonly AskedRange[] | null
}

/**
 * The facets that a search asks for.
 * @param place where they stand in the request
 * @throws Fault invalid with every fault at its place
 */
export function compileFacets(asked: readonly unknown[], fields: SearchFields, place: readonly string[]): AskedFacet[] {
  const faults: FaultDetail[] = []
  const facets = asked.map((each, i) => compileFacet(each, fields, [...place, `${i}`], faults))
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
  return facets as AskedFacet[]
}

function compileFacet(
  asked: unknown,
  fields: SearchFields,
  place: readonly string[],
  faults: FaultDetail[],
): AskedFacet | null {
  const fault = (loc: readonly string[], type: string, msg: string): null => {
    faults.push({ loc: [...place, ...loc], type, msg })
    return null
  }
  if (!isUnchecked(asked)) return fault([], 'dict_type', 'Input should be a valid dictionary')
  for (const key of Object.keys(asked)) {
    if (!MEMBERS.includes(key)) fault([shorten(key)], 'extra_forbidden', `Input should be ${MEMBERS.join(', ')}`)
  }
  const { field: name, limit = LIMIT_DEFAULT, hierarchy = false } = asked
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
  const ranges = rangesIn(asked, field as KeyField | NumberField | 'property', fault)
  const base = { field: name, limit: limit as number }
  if (ranges !== null || (field !== 'property' && field.kind === 'number')) {
    const { number, instead, isMoment = areDates(ranges) } = numberOf(name, field as NumberField | 'property')
    const bounds = (ranges ?? []).map(({ above, below }) => ({ above, below }))
    const counted = { field: number, ranges: bounds, ...(instead === undefined ? {} : { instead }) }
    return { ...base, hierarchy: null, key: null, number: counted, isMoment, ranges: ranges?.map(askedOf) ?? null }
  }
  const key = field === 'property' ? name : ((field as KeyField).property ?? (field as KeyField).key)
  const isTree = hierarchy === true && tree !== undefined
  const kind = !isTree ? null : tree === 'categories' ? 'categories' : 'path'
  const counted = isTree && tree !== 'categories' ? tree.property : key
  return { ...base, hierarchy: kind, key: counted, number: null, isMoment: false, ranges: null }
}

const isCounted = (field: { readonly kind: string; readonly isCounted?: boolean }): boolean =>
  field.kind === 'number' || (field.kind === 'key' && field.isCounted === true)

function numberOf(name: string, field: NumberField | 'property'): Omit<NumberField, 'kind'> {
  return field === 'property' ? { number: name } : field
}

/** Whether ranges have dates: then the numbers of a property are moments too. */
function areDates(ranges: readonly AskedRange[] | null): boolean {
  return ranges?.some(({ from, to }) => typeof from === 'string' || typeof to === 'string') ?? false
}

interface Range extends AskedRange {
  readonly above: number | null
  readonly below: number | null
}

function askedOf({ from, to }: Range): AskedRange {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The ranges that are asked for; null without any. */
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
    // No number is above the largest one.
    const bounds = isBelowAll(below) ? { above: Number.MAX_VALUE, below: null } : { above, below }
    return { ...(range as AskedRange), ...bounds }
  })
}

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

/** Values that one facet counts when they form a tree, since a small category can be in a large one. */
const TREE_VALUES_MAX = 10_000

/** What to ask the engine for, in the order of the facets. */
export function requestOf(facets: readonly AskedFacet[]): FacetRequest {
  return {
    keys: facets.flatMap(({ key, limit, hierarchy }) =>
      key === null ? [] : [{ field: key, limit: hierarchy === 'categories' ? TREE_VALUES_MAX : limit }],
    ),
    numbers: facets.flatMap(({ number }) => (number === null ? [] : [number])),
  }
}

/** The engine's counts as the facets of an answer, in the order of `facets`. Categories are not yet a tree. */
export function facetsOf(facets: readonly AskedFacet[], { keys, numbers }: Facets): Facet[] {
  let [key, number] = [0, 0]
  return facets.map((asked): Facet => {
    if (asked.key !== null) return valuesFacet(asked, keys[key++].values)
    const { count, min, max, ranges } = numbers[number++]
    const shown = (value: number | null) => (value === null || !asked.isMoment ? value : new Date(value).toISOString())
    return {
      field: asked.field,
      count,
      min: shown(min),
      max: shown(max),
      ...(asked.ranges === null ? {} : { ranges: asked.ranges.map((range, i) => ({ ...range, count: ranges[i] })) }),
    }
  })
}

function valuesFacet({ field, hierarchy }: AskedFacet, values: Facets['keys'][number]['values']): Facet {
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
