import { id, type Kind, list, narrow, text, whole } from './kinds.ts'

/** Ids of things that exist and may be referred to. */
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
}

/** A world to name operations in before there is a service. */
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
}

export type Fields = Readonly<Record<string, Kind>>

/** What one operation takes, and the smallest request that is fine. */
export interface Operation {
  /** Whether it is answered without a credential, and knows no gateway headers. */
  readonly isPublic?: boolean
  readonly path?: Fields
  readonly query?: Fields
  /** Of `query`, what has to be there. */
  readonly needs?: readonly string[]
  readonly body?: Fields
  /** Whether the body is a form. */
  readonly isForm?: boolean
  readonly required?: readonly string[]
  /** A body that is fine, with the required fields at least. */
  readonly good?: Readonly<Record<string, unknown>>
  /** Statuses beside success of requests that are well formed. */
  readonly refusals?: readonly number[]
  /** Of the good body, the field that can be used once only. */
  readonly unique?: string
}

let uses = 0

/** A body that is fine, also if one like it was sent before. */
export function goodOf({ good, unique }: Operation): Operation['good'] {
  return unique === undefined ? good : { ...good, [unique]: `${String(good?.[unique])}-${++uses}` }
}

const longestCursor = Buffer.from(JSON.stringify([1, 'x'.repeat(2_994)])).toString('base64url')

/** Where a page of a list begins. */
export const cursor = (): Kind => ({ ...text(0, 4_000, narrow), accepts: [longestCursor] })

const cursorAt = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** The queries of a list in pages, of which this is a place. */
export const pages = (place: readonly (string | number)[]): Fields => ({
  limit: whole(1, 1_000),
  cursor: { ...cursor(), accepts: [cursorAt(place)] },
})

/** A list of ids that is put into something. */
export const members = (field: string, member: string): Operation => ({
  body: { [field]: list(id(member), 1, 500, () => member) },
  required: [field],
  good: { [field]: [member] },
})
