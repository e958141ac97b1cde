/**
 * Compiles the filter language to the engine's filters. A filter is a condition on one field, or a group: `all`, `any`
 * or `not` around other filters. Every fault of a filter is reported at its place in the request.
 */
import { FAULTS_MAX, shorten } from '../../platform/contract/check-faults.ts'
import { filterLanguage, MALFORMED_LANGUAGE } from '../../platform/contract/language.ts'
import { isUuid } from '../../platform/contract/formats.ts'
import { isUnchecked, type Unchecked } from '../../platform/contract/unchecked.ts'
import { Fault, type FaultDetail } from '../../platform/faults.ts'
import type { Filter } from '../engine.ts'
import { fieldOf, type FlagField, type KeyField, namesOf, type NumberField, type SearchFields } from './fields.ts'
import { type BoundKind, boundIn, boundWords, doubleBelow, isBelowAll, reversed } from './numbers.ts'

const DEPTH_MAX = 8
const CONDITIONS_MAX = 64
/** Most conditions on numbers and dates. Each is one pass over the index, or two for prices. */
const NUMERIC_MAX = 16
/** Most conditions and groups together. */
const PARTS_MAX = 256
const VALUES_MAX = 100
const VALUE_LENGTH_MAX = 1_000
/** Most categories of a filter that stand for their subtrees. Each is a walk through the tree. */
const SUBTREES_MAX = 20

/** One of the parts of a filter that must all hold, and the fields that the part is about. */
interface Conjunct {
  readonly filter: Filter
  readonly fields: ReadonlySet<string>
}

/** An id in a filter, for a later check that it exists. */
export interface NamedId {
  readonly field: string
  readonly id: string
  readonly loc: readonly string[]
}

/** A category in a filter that stands for its subtree. */
interface Subtree {
  readonly id: string
  /** List of ids in the compiled filter. The caller of the compiler adds the ids of the categories below `id`. */
  readonly into: string[]
}

export interface CompiledFilter {
  /** The parts of the filter, all of which must hold. */
  readonly conjuncts: readonly Conjunct[]
  readonly ids: readonly NamedId[]
  readonly subtrees: readonly Subtree[]
  /** How many conditions compare numbers or dates. */
  readonly numeric: number
}

export const NO_FILTER: CompiledFilter = { conjuncts: [], ids: [], subtrees: [], numeric: 0 }

/**
 * Returns the engine's filter.
 * @param exceptField field whose own conditions are left out; conditions on this and other fields together stay
 */
export function filterOf({ conjuncts }: CompiledFilter, exceptField: string | null = null): Filter {
  const parts = conjuncts.filter(({ fields }) => exceptField === null || fields.size > 1 || !fields.has(exceptField))
  return { all: parts.map(({ filter }) => filter) }
}

/** Returns the only value of a key field that the filter allows; null unless a condition names exactly one value. */
export function onlyValueOf({ conjuncts }: CompiledFilter, key: string): string | null {
  for (const { filter } of conjuncts) {
    if ('field' in filter && filter.field === key && filter.anyOf.length === 1) return filter.anyOf[0]
  }
  return null
}

/**
 * Checks and compiles a filter.
 * @param place place of the filter in the request, for faults
 * @param isStored whether the filter was accepted and stored earlier. Bounds that were added to the language since then
 *   do not refuse it
 * @throws Fault invalid with every fault at its place
 */
export function compileFilter(
  value: unknown,
  fields: SearchFields,
  place: readonly string[],
  isStored = false,
): CompiledFilter {
  const compiler = new Compiler(fields, isStored)
  const conjuncts = compiler.conjuncts(value, place)
  if (compiler.faults.length > 0) throw new Fault('invalid', compiler.faults.slice(0, FAULTS_MAX))
  return { conjuncts, ids: compiler.ids, subtrees: compiler.subtrees, numeric: compiler.numeric }
}

/** Matches no document; also stands for a part with a fault. */
const NOTHING: Filter = { any: [] }
const EVERYTHING: Filter = { all: [] }
const GROUPS = ['all', 'any', 'not'] as const
const RANGE = ['gt', 'gte', 'lt', 'lte'] as const
const OPERATORS = ['any_of', 'under', ...RANGE, 'exists']

/** Compiles one filter, and collects its faults, ids and subtrees. */
class Compiler {
  readonly faults: FaultDetail[] = []
  readonly ids: NamedId[] = []
  readonly subtrees: Subtree[] = []
  numeric = 0
  readonly #fields: SearchFields
  readonly #isStored: boolean
  #conditions = 0
  #parts = 0

  constructor(fields: SearchFields, isStored: boolean) {
    this.#fields = fields
    this.#isStored = isStored
  }

  /** Returns the parts that must all hold: those of nested `all`, else the whole filter as a single part. */
  conjuncts(value: unknown, place: readonly string[], depth = 1): Conjunct[] {
    if (isUnchecked(value) && Array.isArray(value.all) && Object.keys(value).length === 1 && depth < DEPTH_MAX) {
      const parts = value.all as unknown[]
      if (parts.length <= CONDITIONS_MAX) {
        if (this.#isPartTooMany(place)) return []
        return parts.flatMap((part, i) => this.conjuncts(part, [...place, 'all', `${i}`], depth + 1))
      }
    }
    const fields = new Set<string>()
    const filter = this.#filter(value, place, depth, fields)
    return [{ filter, fields }]
  }

  /** Adds a fault. @returns a filter that stands for the part with the fault */
  #fault(loc: readonly string[], type: string, msg: string): Filter {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ loc, type, msg })
    return NOTHING
  }

  /** Compiles a condition or a group. @param fields set to which the names of its fields are added */
  #filter(value: unknown, place: readonly string[], depth: number, fields: Set<string>): Filter {
    if (this.#isPartTooMany(place)) return NOTHING
    if (!isUnchecked(value)) return this.#fault(place, 'dict_type', 'Input should be a valid dictionary')
    if (depth > DEPTH_MAX) {
      return this.#fault(place, 'filter_too_deep', `A filter should be at most ${DEPTH_MAX} levels deep`)
    }
    const group = GROUPS.find((name) => Object.hasOwn(value, name))
    if (group === undefined) return this.#condition(value, place, fields)
    for (const key of Object.keys(value)) {
      if (key !== group) this.#fault([...place, shorten(key)], 'extra_forbidden', `\`${group}\` should stand alone`)
    }
    const inside = [...place, group]
    if (group === 'not') return { not: this.#filter(value.not, inside, depth + 1, fields) }
    const parts: unknown = value[group]
    if (!Array.isArray(parts)) return this.#fault(inside, 'list_type', 'Input should be a valid list')
    if (parts.length > CONDITIONS_MAX) {
      return this.#fault(inside, 'too_long', `List should have at most ${CONDITIONS_MAX} items`)
    }
    const filters = parts.map((part: unknown, i) => this.#filter(part, [...inside, `${i}`], depth + 1, fields))
    return group === 'all' ? { all: filters } : { any: filters }
  }

  /** Counts a condition or group, and adds a fault at the first one too many. @returns whether it is one too many */
  #isPartTooMany(place: readonly string[]): boolean {
    if (this.#isStored) return false
    this.#parts++
    if (this.#parts === PARTS_MAX + 1) {
      const msg = `A filter should have at most ${PARTS_MAX} conditions and groups`
      this.#fault(place, 'filter_too_long', msg)
    }
    return this.#parts > PARTS_MAX
  }

  /** Counts a condition on numbers or dates, and adds a fault at the first one too many. */
  #countNumeric(place: readonly string[]): void {
    if (++this.numeric !== NUMERIC_MAX + 1 || this.#isStored) return
    const msg = `A filter should have at most ${NUMERIC_MAX} conditions on numbers and dates`
    this.#fault(place, 'filter_too_long', msg)
  }

  #condition(value: Unchecked, place: readonly string[], fields: Set<string>): Filter {
    if (++this.#conditions > CONDITIONS_MAX) {
      if (this.#conditions > CONDITIONS_MAX + 1) return NOTHING
      return this.#fault(place, 'filter_too_long', `A filter should have at most ${CONDITIONS_MAX} conditions`)
    }
    for (const key of Object.keys(value)) {
      if (key === 'field' || OPERATORS.includes(key)) continue
      this.#fault([...place, shorten(key)], 'extra_forbidden', `Input should be field, ${OPERATORS.join(', ')}`)
    }
    const { field: name } = value
    if (name === undefined) return this.#fault([...place, 'field'], 'missing', 'Field required')
    if (typeof name !== 'string')
      return this.#fault([...place, 'field'], 'string_type', 'Input should be a valid string')
    const field = fieldOf(this.#fields, name)
    if (field === null || (field !== 'property' && field.kind === 'title')) {
      const names = namesOf(this.#fields, ({ kind }) => kind !== 'title')
      return this.#fault([...place, 'field'], 'enum', `Input should be ${names}`)
    }
    fields.add(name)
    const operators = OPERATORS.filter((operator) => value[operator] !== undefined)
    const isRange =
      operators.length > 0 && operators.every((operator) => (RANGE as readonly string[]).includes(operator))
    if (operators.length === 0) {
      return this.#fault(place, 'missing', `A condition should have one of ${OPERATORS.join(', ')}`)
    }
    if (operators.length > 1 && !isRange) {
      return this.#fault(place, 'extra_forbidden', 'any_of, under and exists should each stand alone')
    }
    const [operator] = operators
    const inside = [...place, operator]
    if (field !== 'property' && field.kind === 'flag') return this.#flag(value[operator], inside, operator, field)
    if (isRange || (field !== 'property' && field.kind === 'number')) this.#countNumeric(place)
    if (isRange) return this.#range(value, place, name, field)
    if (operator === 'exists') return this.#exists(value.exists, inside, name, field)
    return this.#anyOf(value[operator], inside, name, field, operator === 'under')
  }

  #flag(value: unknown, place: readonly string[], operator: string, { where }: FlagField): Filter {
    if (operator === 'exists') {
      if (typeof value !== 'boolean') return this.#fault(place, 'bool_type', 'Input should be a valid boolean')
      return value ? EVERYTHING : NOTHING
    }
    if (operator !== 'any_of') return this.#fault(place, 'filter_operator', 'This field is true or false')
    const values = this.#values(value, place)
    for (const [i, each] of values.entries()) {
      if (typeof each !== 'boolean') this.#fault([...place, `${i}`], 'bool_type', 'Input should be a valid boolean')
    }
    return { any: [...(values.includes(true) ? [where] : []), ...(values.includes(false) ? [{ not: where }] : [])] }
  }

  /** Returns the values of a condition; none if the list itself has a fault. */
  #values(values: unknown, place: readonly string[]): readonly unknown[] {
    if (!Array.isArray(values)) this.#fault(place, 'list_type', 'Input should be a valid list')
    else if (values.length === 0) this.#fault(place, 'too_short', 'List should have at least 1 item')
    else if (values.length > VALUES_MAX) this.#fault(place, 'too_long', `List should have at most ${VALUES_MAX} items`)
    else return values
    return []
  }

  #exists(value: unknown, place: readonly string[], name: string, field: KeyField | NumberField | 'property'): Filter {
    if (typeof value !== 'boolean') return this.#fault(place, 'bool_type', 'Input should be a valid boolean')
    if (field !== 'property' && field.kind === 'key' && field.isUntold) {
      return this.#fault(place, 'filter_operator', 'This field cannot be asked whether it exists')
    }
    const present = presenceOf(name, field)
    return value ? present : { not: present }
  }

  #anyOf(
    values: unknown,
    place: readonly string[],
    name: string,
    field: KeyField | NumberField | 'property',
    isUnder: boolean,
  ): Filter {
    if (isUnder && (field === 'property' || field.kind !== 'key' || field.tree === undefined)) {
      return this.#fault(place, 'filter_operator', 'Only categories have others under them')
    }
    const list = this.#values(values, place)
    if (list.length === 0) return NOTHING
    const at = (i: number): string[] => [...place, `${i}`]
    if (field === 'property') {
      const texts = list.map((value, i) => this.#scalar(value, at(i)))
      return { field: name, anyOf: texts }
    }
    if (field.kind === 'number') {
      return listFilter(field, this.#numbers(list, place, field))
    }
    const texts = list.map((value, i) => this.#text(value, at(i), name, field))
    if (!isUnder) return { field: field.key, anyOf: texts }
    const { tree } = field
    if (tree !== 'categories') return { field: tree!.property, anyOf: texts.map(tree!.normal) }
    if (this.subtrees.length + texts.length > SUBTREES_MAX) {
      const msg = `A filter should have at most ${SUBTREES_MAX} categories with others under them`
      return this.#fault(place, 'filter_too_long', msg)
    }
    const into = [...texts]
    for (const id of texts) this.subtrees.push({ id, into })
    return { field: field.key, anyOf: into }
  }

  /** Returns a value of a property as text. */
  #scalar(value: unknown, loc: readonly string[]): string {
    if (typeof value === 'string' && value.length > VALUE_LENGTH_MAX) return this.#tooLong(loc)
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
    this.#fault(loc, 'scalar_type', 'Input should be a string, a number or a boolean')
    return ''
  }

  /** Returns a value of a key field in the form in which the field's values are compared. */
  #text(value: unknown, loc: readonly string[], name: string, field: KeyField): string {
    if (typeof value !== 'string') {
      this.#fault(loc, 'string_type', 'Input should be a valid string')
      return ''
    }
    if (value.length > VALUE_LENGTH_MAX) return this.#tooLong(loc)
    if (field.isId) {
      if (!isUuid(value)) this.#fault(loc, 'uuid_parsing', 'Input should be a valid UUID')
      const id = value.toLowerCase()
      this.ids.push({ field: name, id, loc })
      return id
    }
    if (field.values !== undefined && !field.values.includes(value)) {
      this.#fault(loc, 'enum', `Input should be ${field.values.map((each) => `'${each}'`).join(', ')}`)
    }
    if (field.isLanguage && filterLanguage(value) === null) {
      this.#fault(loc, MALFORMED_LANGUAGE.type, MALFORMED_LANGUAGE.msg)
    }
    return field.normal?.(value) ?? value
  }

  #tooLong(loc: readonly string[]): string {
    this.#fault(loc, 'string_too_long', `String should have at most ${VALUE_LENGTH_MAX} characters`)
    return ''
  }

  #numbers(list: readonly unknown[], place: readonly string[], field: NumberField): number[] {
    const kind = boundKindOf(field)
    return list.flatMap((value, i) => this.#bound(value, [...place, `${i}`], kind) ?? [])
  }

  #range(value: Unchecked, place: readonly string[], name: string, field: KeyField | NumberField | 'property'): Filter {
    if (field !== 'property' && field.kind === 'key') {
      const operator = RANGE.find((each) => value[each] !== undefined)!
      return this.#fault([...place, operator], 'filter_operator', 'Only numbers and dates have ranges')
    }
    for (const [one, other] of [
      ['gt', 'gte'],
      ['lt', 'lte'],
    ]) {
      if (value[one] === undefined || value[other] === undefined) continue
      return this.#fault([...place, other], 'extra_forbidden', `${one} and ${other} should not stand together`)
    }
    const kind = boundKindOf(field)
    const bound = (operator: string): number | null =>
      value[operator] === undefined ? null : this.#bound(value[operator], [...place, operator], kind)
    const [gt, gte, lt, lte] = RANGE.map(bound)
    const [low, high] = [gt ?? gte, lt ?? lte]
    if (low !== null && high !== null && low > high) {
      return this.#fault([...place, lt === null ? 'lte' : 'lt'], ...reversed(value.gt ?? value.gte))
    }
    const above = gt ?? (gte === null ? null : doubleBelow(gte))
    const below = lte ?? (lt === null ? null : doubleBelow(lt))
    if (isBelowAll(below)) return NOTHING
    return rangeFilter(field === 'property' ? { kind: 'number', number: name } : field, above, below)
  }

  #bound(value: unknown, loc: readonly string[], kind: BoundKind): number | null {
    const number = boundIn(value, kind)
    if (number === null) this.#fault(loc, kind === 'number' ? 'float_type' : 'bound_type', boundWords(kind))
    return number
  }
}

/** Returns the kind of bounds that a field takes. */
export function boundKindOf(field: NumberField | KeyField | 'property'): BoundKind {
  if (field === 'property') return 'any'
  return field.kind === 'number' && field.isMoment ? 'moment' : 'number'
}

function rangeFilter({ number, range }: NumberField, above: number | null, below: number | null): Filter {
  return range?.(above, below) ?? { number, above, below, orMissing: false }
}

function listFilter({ number, list }: NumberField, values: readonly number[]): Filter {
  return list?.(values) ?? { number, anyOf: values }
}

/** Returns the filter for documents that have a value in the field. */
function presenceOf(name: string, field: KeyField | NumberField | 'property'): Filter {
  if (field === 'property') return { present: name }
  if (field.kind === 'number') return rangeFilter(field, null, null)
  return field.isAlways ? EVERYTHING : { present: field.property ?? field.key }
}
