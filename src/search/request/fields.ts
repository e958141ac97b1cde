import type { FacetRequest, Filter } from '../engine.ts'

/** A field with texts. */
export interface KeyField {
  readonly kind: 'key'
  /** Its name in the index. */
  readonly key: string
  /** Whether every document has a value. */
  readonly isAlways?: boolean
  /** Whether the index does not tell if a document has a value. */
  readonly isUntold?: boolean
  /** Whether its values can be counted. */
  readonly isCounted?: boolean
  /** The property that its values are counted by, if the field has no column for that. */
  readonly property?: string
  /** The values that it can have. */
  readonly values?: readonly string[]
  readonly isId?: boolean
  /** Whether its values are language tags. */
  readonly isLanguage?: boolean
  /** Whether its values form a tree: ids of categories, or paths, whose beginnings are a property of the index. */
  readonly tree?: 'categories' | { readonly property: string; readonly normal: (value: string) => string }
  /** The form in which values are compared. */
  readonly normal?: (value: string) => string
}

/** A field with numbers or moments. */
export interface NumberField {
  readonly kind: 'number'
  readonly number: string
  /** Whether its numbers are milliseconds since 1970, which callers write as dates. */
  readonly isMoment?: boolean
  /** For documents that match, another number stands in. */
  readonly instead?: FacetRequest['numbers'][number]['instead']
  /** Documents whose number is over `above` and at most `below`, where a plain comparison does not say so. */
  readonly range?: (above: number | null, below: number | null) => Filter
  /** Documents whose number is one of `values`, where a plain comparison does not say so. */
  readonly list?: (values: readonly number[]) => Filter
}

/** A field that is true or false. */
export interface FlagField {
  readonly kind: 'flag'
  /** The documents for which it is true. */
  readonly where: Filter
}

/** A title, which hits can be sorted by. */
interface TitleField {
  readonly kind: 'title'
}

type SearchField = KeyField | NumberField | FlagField | TitleField

/** The fields of one kind of documents, by the names that callers use. */
export interface SearchFields {
  readonly own: Readonly<Record<string, SearchField>>
  /** Names of properties begin with this and a full stop; null where they may not be asked for. */
  readonly prefix: string | null
}

const NAME_LENGTH_MAX = 200

/** The field of a name: one of the own ones, a property, or null. */
export function fieldOf({ own, prefix }: SearchFields, name: string): SearchField | 'property' | null {
  if (Object.hasOwn(own, name)) return own[name]
  if (prefix === null) return null
  const isProperty = name.startsWith(`${prefix}.`) && name.length > prefix.length + 1 && name.length <= NAME_LENGTH_MAX
  return isProperty ? 'property' : null
}

/** The names that callers may use, in words. */
export function namesOf({ own, prefix }: SearchFields, isFit: (field: SearchField) => boolean): string {
  const names = Object.keys(own).filter((name) => isFit(own[name]))
  return prefix === null ? names.join(', ') : `${names.join(', ')} or ${prefix}.…`
}
