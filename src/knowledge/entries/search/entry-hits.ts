/** Reads entries and presents them as hits. */
import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { SearchMode } from '../../../search/engine.ts'
import { type Excerpt, type Excerpts, titleLength } from '../../../search/excerpts/excerpt.ts'
import type { ExcerptedHit } from '../../../search/hits/hit-excerpts.ts'
import type { HitKind, HitPlace } from '../../../search/hits/presented-hits.ts'
import type { DocumentSource } from '../../../search/hits/shown-documents.ts'
import { DocumentShape } from '../../../search/hits/written-document.ts'
import { categoryPaths } from '../../categories/tree-rules.ts'
import { Entry, ENTRY_FIELDS, type EntrySearch, type Explanation } from '../contract.ts'
import { entryOf, guardOf, partOf } from '../entry.ts'
import * as store from '../store.ts'

const SHAPE = new DocumentShape(Object.keys(Entry.properties))
/** Texts so short that a page of hits with all of them is never too large. */
const SHORT_TEXTS: ReadonlySet<string> = new Set(['title', 'summary'])
const LONG_FIELDS: ReadonlySet<string> = new Set(store.TEXTS.filter((text) => !SHORT_TEXTS.has(text)))
/** Columns that decide whether the caller may see an entry, and the number of its change. */
const GUARD = ['id', 'seq', 'visibility', 'created_by_user_id', 'workspace_id'] as const

/** Code points of a part of a long content that is read at a time. */
const PART_LENGTH = 16_384
/** Code points by which two parts overlap: more than a word has. */
const OVERLAP = 100

/** Options of a search that decide what its hits contain. */
type HitOptions = Pick<EntrySearch, 'explain' | 'include_category_path'> & { readonly mode: SearchMode }

/**
 * Returns the reading of entries and their presentation as hits.
 * @param options null for related entries, whose hits have the similarity alone
 */
export function entryHits(db: Queries, caller: Caller, options: HitOptions | null): HitKind<HitPlace> {
  const { id: tenantId, embeddingModel: model } = caller.tenant
  const isExplained = options?.explain === true
  const withPaths = options?.include_category_path === true
  const withScore = options !== null && options.mode !== 'semantic'
  return {
    name: 'entry',
    withScore,
    wholeText: withScore,
    owner: { tenantId, model },
    documents: entriesFor(db, caller),
    needed: ['language', 'title', ...(isExplained ? ['content'] : [])],
    added: withPaths ? ['category_id', 'category_path'] : [],
    placesOf: (hits) => Promise.resolve(hits.map((hit) => ({ hit, shown: hit }))),
    async currentOf(hits) {
      if (!withPaths) return hits.map(() => ({}))
      const categories = hits.map(({ document }) => document.get('category_id') as string)
      const paths = await categoryPaths(db, tenantId, categories)
      return categories.map((id) => ({ category_path: paths.get(id) }))
    },
    membersOf: (hits) => Promise.resolve(hits.map((each) => (isExplained ? explained(each, caller) : {}))),
    excerpts: {
      textOf({ document }) {
        const content = document.get('content') as string | undefined
        return content === undefined ? null : { text: content, title: document.get('title') as string }
      },
      excerptOfLong: (each, excerpts, parts) => excerptOfLong(db, tenantId, each, excerpts, parts),
    },
  }
}

function entriesFor(db: Queries, caller: Caller): DocumentSource {
  const { id: tenantId } = caller.tenant
  return {
    shape: SHAPE,
    longFields: LONG_FIELDS,
    bytesOf: (ids, fields) => store.entryBytes(db, tenantId, ids, fields),
    async read(ids, fields) {
      const own = fields?.filter(isField) ?? null
      const rows =
        own === null
          ? await store.findEntries(db, tenantId, ids)
          : ((await store.findEntryColumns(db, tenantId, ids, [...new Set([...own, ...GUARD])])) as EntryRow[])
      // The engine has checked whether the caller may see the entries, which may have changed since.
      const visible = rows.filter((row) => maySee(caller, guardOf(row)))
      return visible.map((row) => {
        const document = own === null ? entryOf(row) : partOf(row, own)
        return { id: row.id, seq: row.seq, document, isLasting: true }
      })
    },
  }
}

/** Tells whether a name is a stored field; `category_path` is none. */
function isField(name: string): name is (typeof ENTRY_FIELDS)[number] {
  return (ENTRY_FIELDS as readonly string[]).includes(name)
}

function explained({ hit, document }: ExcerptedHit, caller: Caller): { readonly explanation?: Explanation } {
  const { explanation } = hit
  if (explanation === undefined) return {}
  const { bm25, coverage, scaled, instead, pin, terms, passage, vectorWeight } = explanation
  return {
    explanation: {
      bm25,
      coverage,
      vector_weight: vectorWeight ?? caller.tenant.settings.vectorWeight,
      ...(scaled === undefined ? {} : { scaled_similarity: scaled }),
      ...(instead === undefined ? {} : { instead_of_coverage: instead }),
      ...(pin === undefined ? {} : { title: pin }),
      terms: [...terms],
      passage:
        passage === null
          ? null
          : { ...passage, text: (document.get('content') as string).slice(passage.start, passage.end) },
    },
  }
}

/**
 * Takes the excerpt of a content that is too long to be read whole. A passage's place counts UTF-16 units and a part's
 * place counts code points, so characters beyond the basic plane before the passage move the part by their number.
 * @param parts `left` bounds the parts that one answer reads
 */
async function excerptOfLong(
  db: Queries,
  tenantId: string,
  { hit, shown: { id }, document }: ExcerptedHit,
  excerpts: Excerpts,
  parts: { left: number },
): Promise<Excerpt> {
  const [language, title] = [document.get('language') as string, document.get('title') as string]
  const { start, end } = hit.passage ?? { start: 0, end: PART_LENGTH }
  const body = (text: string, from: number): string => (from > 0 ? text : text.slice(titleLength(text, title)))
  const text = body(await store.findContentPart(db, tenantId, id, { start, length: end - start }), start)
  const near = excerpts.of({ text, language, passage: { start: 0, end: text.length } })
  if (near.matches.length > 0 || !excerpts.wholeText) return near
  for (let from = 0; parts.left > 0; from += PART_LENGTH - OVERLAP) {
    parts.left--
    const part = await store.findContentPart(db, tenantId, id, { start: from, length: PART_LENGTH })
    if (part === '') break
    const excerpt = excerpts.of({ text: body(part, from), language, passage: null })
    if (excerpt.matches.length > 0) return excerpt
    await threadSlices.pause(tenantId)
  }
  return near
}
