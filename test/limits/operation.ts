import { id, type Kind, list, narrow, text, whole } from './kinds.ts'

/** Ids of existing things for references. */
export interface World {
  readonly category: string
  readonly otherCategory: string
  readonly entry: string
  readonly project: string
  readonly site: string
  readonly product: string
  readonly workspace: string
  readonly user: string
  readonly client: string
  readonly grant: string
  readonly key: string
  readonly rule: string
  readonly invitation: string
  readonly set: string
  readonly judgedQuery: string
  readonly run: string
}

/** A placeholder world, to list operations before there is a service. */
export const NOWHERE: World = {
  category: '',
  otherCategory: '',
  entry: '',
  project: '',
  site: '',
  product: '',
  workspace: '',
  user: '',
  client: '',
  grant: '',
  key: '',
  rule: '',
  invitation: '',
  set: '',
  judgedQuery: '',
  run: '',
}

export type Fields = Readonly<Record<string, Kind>>

/** The fields of one operation, and its smallest valid request. */
export interface Operation {
  /** Whether it needs no credential and ignores gateway headers. */
  readonly isPublic?: boolean
  readonly path?: Fields
  readonly query?: Fields
  /** Required parameters of `query`. */
  readonly needs?: readonly string[]
  readonly body?: Fields
  /** Whether the body is a form. */
  readonly isForm?: boolean
  readonly required?: readonly string[]
  /** Field that a body needs unless it has another one in its place. The schema of a single field cannot say that. */
  readonly demanded?: string
  /** A valid body with at least the required fields. */
  readonly good?: Readonly<Record<string, unknown>>
  /** Statuses other than success for well-formed requests. */
  readonly refusals?: readonly number[]
  /** The field of the valid body that must be unique. */
  readonly unique?: string
}

let uses = 0

/** Returns a valid body, even if a similar one was sent before. */
export function goodOf({ good, unique }: Operation): Operation['good'] {
  return unique === undefined ? good : { ...good, [unique]: `${String(good?.[unique])}-${++uses}` }
}

const longestCursor = Buffer.from(JSON.stringify([1, 'x'.repeat(2_994)])).toString('base64url')

/** Returns the cursor parameter of a list. */
export const cursor = (): Kind => ({ ...text(0, 4_000, narrow), accepts: [longestCursor] })

const cursorAt = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * Returns the query parameters of a list with pages.
 * @param place content of a valid cursor
 */
export const pages = (place: readonly (string | number)[]): Fields => ({
  limit: whole(1, 1_000),
  cursor: { ...cursor(), accepts: [cursorAt(place)] },
})

/** Returns an operation that adds a list of ids to something. */
export const members = (field: string, member: string): Operation => ({
  body: { [field]: list(id(member), 1, 500, () => member) },
  required: [field],
  good: { [field]: [member] },
})
