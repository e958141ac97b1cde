import type { FacetRequest, Filter } from '../engine.ts'

/** A field with texts. */
export interface KeyField {
  readonly kind: 'key'
  /** Name of the key field in the index. */
  readonly key: string
  /** Whether every document has a value. */
  readonly isAlways?: boolean
  /** Whether the index does not know if a document has a value, so that `exists` is refused. */
  readonly isUntold?: boolean
  /** Whether facets may count the values. */
  readonly isCounted?: boolean
  /** Property of the index whose values facets count instead, if the field has no column for counting. */
  readonly property?: string
  /** All values that the field can have; absent for a field with any value. */
  readonly values?: readonly string[]
  /** Whether the values are UUIDs of other records. */
  readonly isId?: boolean
  /** Whether the values are language tags. */
  readonly isLanguage?: boolean
  /**
   * Present if the values form a tree. They are ids of categories, or paths; then `property` is the property of the
   * index that has the beginnings of each path, and `normal` returns the form in which paths are compared.
   */
  readonly tree?: 'categories' | { readonly property: string; readonly normal: (value: string) => string }
  /** Returns the form in which values are compared; by default a value is compared as it is. */
  readonly normal?: (value: string) => string
}

/** A field with numbers or moments. */
export interface NumberField {
  readonly kind: 'number'
  /** Name of the number field in the index. */
  readonly number: string
  /** Whether the numbers are milliseconds since 1970, which callers write as dates. */
  readonly isMoment?: boolean
  /** Another number field, and the documents for which it stands in. */
  readonly instead?: FacetRequest['numbers'][number]['instead']
  /** Returns a filter for numbers over `above` and at most `below`; by default a plain comparison of the field. */
  readonly range?: (above: number | null, below: number | null) => Filter
  /** Returns a filter for numbers among `values`; by default a plain comparison of the field. */
  readonly list?: (values: readonly number[]) => Filter
}

/** A field that is true or false. */
export interface FlagField {
  readonly kind: 'flag'
  /** Filter for the documents for which the field is true. */
  readonly where: Filter
}

/** A title, by which hits can be sorted and not filtered. */
interface TitleField {
  readonly kind: 'title'
}

type SearchField = KeyField | NumberField | FlagField | TitleField

/** The fields by which callers may filter, count and sort one kind of documents. */
export interface SearchFields {
  /** The fields of the kind, by the names that callers use. */
  readonly own: Readonly<Record<string, SearchField>>
  /** Beginning of the names of properties, before a full stop; null where the caller may not name properties. */
  readonly prefix: string | null
}

const NAME_LENGTH_MAX = 200

/** Returns the field of a name: a field of the kind, `'property'` for any property, or null for an unknown name. */
export function fieldOf({ own, prefix }: SearchFields, name: string): SearchField | 'property' | null {
  if (Object.hasOwn(own, name)) return own[name]
  if (prefix === null) return null
  const isProperty = name.startsWith(`${prefix}.`) && name.length > prefix.length + 1 && name.length <= NAME_LENGTH_MAX
  return isProperty ? 'property' : null
}

/**
 * Returns the names of the fields for which `isFit` is true, as a list for a message. Properties are always among them.
 */
export function namesOf({ own, prefix }: SearchFields, isFit: (field: SearchField) => boolean): string {
  const names = Object.keys(own).filter((name) => isFit(own[name]))
  return prefix === null ? names.join(', ') : `${names.join(', ')} or ${prefix}.…`
}
