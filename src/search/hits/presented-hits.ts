/** Presents one page of hits: as the JSON of an answer, or as objects for code that goes on with them. */
import { countWithin } from '../../platform/database/page.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import type { SearchAnswer, SearchHit } from '../engine.ts'
import { EXCERPT_LENGTH_DEFAULT } from '../excerpts/contract.ts'
import { type Excerpt, Excerpts } from '../excerpts/excerpt.ts'
import type { HitCache } from './hit-cache.ts'
import type { ExcerptedHit, ExcerptSource, HitExcerpts } from './hit-excerpts.ts'
import { type CacheOwner, type DocumentSource, type DocumentState, shownDocuments } from './shown-documents.ts'

/**
 * A hit with the state of the document that it shows. That document may differ from the document that matched: of a
 * group of translations or variants, a hit shows one member.
 */
export interface HitPlace {
  readonly hit: SearchHit
  readonly shown: DocumentState
}

/** Differences between the kinds of documents in the presentation of hits. */
export interface HitKind<Place extends HitPlace> {
  /** Name of the field of a hit's JSON that has the document, such as `entry`. */
  readonly name: string
  /** Whether the JSON of hits has their score, besides the similarity. */
  readonly withScore: boolean
  /** Whether excerpts look for words beyond the best passage, as for a search by words. */
  readonly wholeText: boolean
  readonly owner: CacheOwner
  readonly documents: DocumentSource
  readonly excerpts: ExcerptSource<Place & ExcerptedHit>
  /** Fields that `currentOf`, `membersOf` and excerpts read, whatever fields the search chose. */
  readonly needed: readonly string[]
  /** Fields that hits show whatever fields the search chose. */
  readonly added: readonly string[]
  /** Returns the hits with the documents that they show. Leaves out hits whose document is gone. */
  placesOf(hits: readonly SearchHit[]): Promise<readonly Place[]>
  /** Returns for each hit, by field, the present values of fields that change without a change of the document. */
  currentOf(hits: readonly (Place & ExcerptedHit)[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /**
   * Returns for each hit the further fields of its JSON, besides document, similarity, score, relevance and excerpt.
   */
  membersOf(hits: readonly (Place & ExcerptedHit)[]): Promise<readonly object[]>
}

/** Choices of a search about its hits. */
export interface HitChoice {
  /** Fields of each document to show, in this order; null for all. */
  readonly fields: readonly string[] | null
  readonly query: string
  /** Null for no excerpts. */
  readonly excerpt: { readonly length?: number } | null
}

/** The caches of one kind of documents, for later searches with the same documents. */
export interface HitCaches {
  readonly documents: HitCache
  readonly excerpts: HitExcerpts
}

interface PresentedHit {
  readonly id: string
  /** JSON of the document, in parts. */
  readonly document: readonly Buffer[]
  /** Further fields of the hit's JSON. */
  readonly members: object
}

/** Reads and presents one page of hits. A page that would be too large ends early. */
export async function presentHits<Place extends HitPlace>(
  caches: HitCaches,
  kind: HitKind<Place>,
  { hits, alternatives }: Pick<SearchAnswer, 'hits' | 'alternatives'>,
  choice: HitChoice,
): Promise<PresentedHits> {
  const fields = choice.fields === null ? null : [...new Set([...choice.fields, ...kind.added])]
  const needed = fields === null ? null : [...new Set([...fields, ...kind.needed])]
  const places = await kind.placesOf(hits)
  const page = await shownDocuments(caches.documents, kind.owner, places, kind.documents, needed)
  const current = await kind.currentOf(page.shown)
  const documents = page.shown.map(({ document }, i) => document.parts(fields, current[i]))
  const count = countWithin(documents, bytesOf)
  const shown = page.shown.slice(0, count)
  const members = await kind.membersOf(shown)
  const excerpts = await excerptsOf(caches.excerpts, kind, shown, choice, alternatives)
  const pageHits = shown.map(({ hit: { similarity, score, relevance }, shown: { id } }, i): PresentedHit => {
    const ranked = {
      similarity,
      ...(kind.withScore ? { score } : {}),
      ...(relevance === undefined ? {} : { relevance }),
    }
    return { id, document: documents[i], members: { ...ranked, ...members[i], ...excerpts?.[i] } }
  })
  return new PresentedHits(kind, pageHits, page.isCut || count < page.shown.length)
}

/** The hits of one page. */
export class PresentedHits {
  /** Ids of the documents, in the order of the page. */
  readonly ids: readonly string[]
  /** Whether the page ended early because its hits were too large. */
  readonly isCut: boolean
  readonly #kind: Pick<HitKind<HitPlace>, 'name' | 'owner'>
  readonly #hits: readonly PresentedHit[]

  constructor(kind: Pick<HitKind<HitPlace>, 'name' | 'owner'>, hits: readonly PresentedHit[], isCut: boolean) {
    this.#kind = kind
    this.#hits = hits
    this.isCut = isCut
    this.ids = hits.map(({ id }) => id)
  }

  /** Returns the hits as a JSON list. @param more returns additional fields for a hit, by its place in the list */
  json(more: (place: number) => object = () => ({})): Buffer {
    const head = `{${JSON.stringify(this.#kind.name)}:`
    const parts: Buffer[] = []
    let between = '['
    for (const [i, { document, members }] of this.#hits.entries()) {
      parts.push(Buffer.from(between + head), ...document)
      between = `,${JSON.stringify({ ...members, ...more(i) }).slice(1)},`
    }
    parts.push(Buffer.from(parts.length === 0 ? '[]' : `${between.slice(0, -1)}]`))
    return Buffer.concat(parts)
  }

  /** Returns the hits as objects in the shape of the contract. Other tenants get their turns in between. */
  objects<Hit>(): Promise<Hit[]> {
    const { name, owner } = this.#kind
    return mapInSlices(owner.tenantId, this.#hits, ({ document, members }) => {
      return { [name]: JSON.parse(Buffer.concat(document).toString()), ...members } as Hit
    })
  }
}

function bytesOf(parts: readonly Buffer[]): number {
  let bytes = 0
  for (const { length } of parts) bytes += length
  return bytes
}

async function excerptsOf<Place extends HitPlace>(
  caches: HitExcerpts,
  { owner, wholeText, excerpts: source }: HitKind<Place>,
  shown: readonly (Place & ExcerptedHit)[],
  { query, excerpt }: HitChoice,
  alternatives: SearchAnswer['alternatives'],
): Promise<{ readonly excerpt: Excerpt }[] | null> {
  if (excerpt === null) return null
  const excerpts = new Excerpts(query, excerpt.length ?? EXCERPT_LENGTH_DEFAULT, wholeText, alternatives)
  const list = await caches.of(owner.tenantId, shown, excerpts, source)
  return list.map((each) => ({ excerpt: each }))
}
