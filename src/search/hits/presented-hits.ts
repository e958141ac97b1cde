/** Presents one page of hits: as the JSON of an answer, or as objects for code that goes on with them. */
import { countWithin } from '../../platform/database/page.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import type { SearchAnswer, SearchHit } from '../engine.ts'
import { EXCERPT_LENGTH_DEFAULT } from '../excerpts/contract.ts'
import { type Excerpt, Excerpts } from '../excerpts/excerpt.ts'
import type { HitCache } from './hit-cache.ts'
import type { ExcerptedHit, ExcerptSource, HitExcerpts } from './hit-excerpts.ts'
import { type CacheOwner, type DocumentSource, type DocumentState, shownDocuments } from './shown-documents.ts'

/** A hit with the state of the document that it shows, which may be another one than was found. */
export interface HitPlace {
  readonly hit: SearchHit
  readonly shown: DocumentState
}

/** How the hits of one kind of documents are presented to the caller of a search. */
export interface HitKind<Place extends HitPlace> {
  /** The member of a hit that has its document, such as `entry`. */
  readonly name: string
  /** Whether hits have the score that they are ranked by, besides the similarity. */
  readonly withScore: boolean
  /** Whether excerpts look for words beyond the passage that was found, as for a search by words. */
  readonly wholeText: boolean
  readonly owner: CacheOwner
  readonly documents: DocumentSource
  readonly excerpts: ExcerptSource<Place & ExcerptedHit>
  /** Fields that `currentOf`, `membersOf` and excerpts read, whatever the search chose. */
  readonly needed: readonly string[]
  /** Fields that are shown whatever the search chose. */
  readonly added: readonly string[]
  /** Finds the document that each hit shows. Leaves out hits whose document is gone. */
  placesOf(hits: readonly SearchHit[]): Promise<readonly Place[]>
  /** Returns, in the order of the hits, values that change without a change of the document, by field. */
  currentOf(hits: readonly (Place & ExcerptedHit)[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Returns what each hit has besides its document, what was found of it and its excerpt. */
  membersOf(hits: readonly (Place & ExcerptedHit)[]): Promise<readonly object[]>
}

/** What a search chose of its hits. */
export interface HitChoice {
  /** The fields of each document, in this order; null for all. */
  readonly fields: readonly string[] | null
  readonly query: string
  /** Null for no excerpts. */
  readonly excerpt: { readonly length?: number } | null
}

/** Keeps what was made of documents for the next search that finds them. */
export interface HitCaches {
  readonly documents: HitCache
  readonly excerpts: HitExcerpts
}

interface Presented {
  readonly id: string
  readonly document: Buffer
  readonly members: object
}

/** Reads and presents one page of hits. The page ends early where it would be too large. */
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
  const documents = page.shown.map(({ document }, i) => {
    const parts = document.parts(fields, current[i])
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  })
  const count = countWithin(documents, ({ length }) => length)
  const shown = page.shown.slice(0, count)
  const members = await kind.membersOf(shown)
  const excerpts = await excerptsOf(caches.excerpts, kind, shown, choice, alternatives)
  const presented = shown.map(({ hit: { similarity, score, relevance }, shown: { id } }, i): Presented => {
    const ranked = {
      similarity,
      ...(kind.withScore ? { score } : {}),
      ...(relevance === undefined ? {} : { relevance }),
    }
    return { id, document: documents[i], members: { ...ranked, ...members[i], ...excerpts?.[i] } }
  })
  return new PresentedHits(kind, presented, page.isCut || count < page.shown.length)
}

/** The hits of one page. */
export class PresentedHits {
  /** Ids of the documents shown. */
  readonly ids: readonly string[]
  /** Whether the page ended early because its hits were too large. */
  readonly isCut: boolean
  readonly #kind: Pick<HitKind<HitPlace>, 'name' | 'owner'>
  readonly #hits: readonly Presented[]

  constructor(kind: Pick<HitKind<HitPlace>, 'name' | 'owner'>, hits: readonly Presented[], isCut: boolean) {
    this.#kind = kind
    this.#hits = hits
    this.isCut = isCut
    this.ids = hits.map(({ id }) => id)
  }

  /** Writes the list. @param more members that each hit gets besides, by its place in the list */
  json(more: (place: number) => object = () => ({})): Buffer {
    const name = JSON.stringify(this.#kind.name)
    const [first, next] = [Buffer.from(`[{${name}:`), Buffer.from(`},{${name}:`)]
    const parts = this.#hits.flatMap(({ document, members }, i) => [
      i === 0 ? first : next,
      document,
      Buffer.from(`,${JSON.stringify({ ...members, ...more(i) }).slice(1, -1)}`),
    ])
    return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '[]' : '}]')])
  }

  /** Returns the hits as objects of the contract's shape. Other tenants get their turns in between. */
  objects<Hit>(): Promise<Hit[]> {
    const { name, owner } = this.#kind
    return mapInSlices(owner.tenantId, this.#hits, ({ document, members }) => {
      return { [name]: JSON.parse(document.toString()), ...members } as Hit
    })
  }
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
