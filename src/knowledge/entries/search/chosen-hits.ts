import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { jsonCount, pageOf } from '../../../platform/database/page.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import type { SearchAnswer, SearchHit } from '../../../search/engine.ts'
import { EXCERPT_LENGTH_DEFAULT } from '../../../search/excerpts/contract.ts'
import { type Excerpt, Excerpts } from '../../../search/excerpts/excerpt.ts'
import { type Entry, ENTRY_FIELDS, type EntrySearch } from '../contract.ts'
import { guardOf, partOf } from '../entry.ts'
import * as store from '../store.ts'
import type { ContentExcerpts } from './content-excerpts.ts'

/** A hit with what the search chose of its entry. */
interface ChosenHit {
  readonly hit: SearchHit
  readonly entry: Partial<Entry>
  readonly excerpt?: Excerpt
  /** The passage that explains the hit; null without vectors, and absent without `explain`. */
  readonly passageText?: string | null
}

type Choice = Pick<EntrySearch, 'query' | 'mode' | 'fields' | 'excerpt' | 'explain' | 'include_category_path'>

/** Whether a search chooses what its hits have, instead of whole entries alone. */
export function choosesFields({ fields, excerpt }: Choice): boolean {
  return fields !== undefined || excerpt !== undefined
}

const GUARD = ['id', 'seq', 'language', 'title', 'visibility', 'created_by_user_id', 'workspace_id'] as const
/** So short that a page of hits with all of them is never too large. */
const SHORT_TEXTS: ReadonlySet<string> = new Set(['title', 'summary'])

/**
 * Reads what a search chose of one page of its hits, and nothing else. The engine has checked that the caller may see
 * the entries. They are checked again, since they may have changed. The page ends early like any other.
 */
export async function chosenHits(
  { db, contents }: { readonly db: Queries; readonly contents: ContentExcerpts },
  caller: Caller,
  { hits, alternatives }: Pick<SearchAnswer, 'hits' | 'alternatives'>,
  input: Choice,
): Promise<{ readonly hits: ChosenHit[]; readonly isCut: boolean }> {
  const tenantId = caller.tenant.id
  const named = input.fields ?? ENTRY_FIELDS
  const fields = input.include_category_path ? [...new Set([...named, 'category_id' as const])] : named
  const shown = new Set<keyof EntryRow>(fields)
  if (input.explain) shown.add('content')
  const columns = [...new Set<keyof EntryRow>([...shown, ...GUARD])]
  const long = store.TEXTS.filter((text) => shown.has(text as keyof EntryRow) && !SHORT_TEXTS.has(text))
  const ids = hits.map(({ id }) => id)
  const bytes = long.length === 0 ? null : await store.entryBytes(db, tenantId, ids, long)
  const page = pageOf(
    hits.map((hit) => ({ hit, bytes: bytes?.get(hit.id) ?? 0 })),
    hits.length,
  )
  const rows = await store.findEntryColumns(db, tenantId, ids.slice(0, page.length), columns)
  const byId = new Map(rows.map((row) => [row.id, row as EntryRow]))
  const seen = page.flatMap(({ hit }) => {
    const row = byId.get(hit.id)
    return row === undefined || !maySee(caller, guardOf(row)) ? [] : [{ hit, row }]
  })
  const chosen = seen.map(({ hit, row }): ChosenHit => {
    const entry = partOf(row, fields)
    return input.explain ? { hit, entry, passageText: passageTextOf(hit, row.content) } : { hit, entry }
  })
  const stored = page.reduce((sum, row) => sum + row.bytes, 0)
  const fitting = chosen.slice(
    0,
    jsonCount(chosen, stored, ({ entry }) => entry),
  )
  const isCut = page.length < hits.length || fitting.length < chosen.length
  if (input.excerpt === undefined) return { hits: fitting, isCut }
  const excerpts = new Excerpts(
    input.query,
    input.excerpt.length ?? EXCERPT_LENGTH_DEFAULT,
    (input.mode ?? 'semantic') !== 'semantic',
    alternatives,
  )
  const texts = await contents.of({ db, tenantId }, seen.slice(0, fitting.length), excerpts)
  return { hits: fitting.map((each, i) => ({ ...each, excerpt: texts[i] })), isCut }
}

/** The passage that explains the hit; null without one. */
export function passageTextOf({ explanation }: SearchHit, content: string): string | null {
  const passage = explanation?.passage ?? null
  return passage === null ? null : content.slice(passage.start, passage.end)
}
