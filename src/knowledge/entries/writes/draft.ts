import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Visibility } from '../../../platform/access/visibility.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { newId } from '../../../platform/ids.ts'
import type { EntryCreate } from '../contract.ts'
import type { Entry } from '../contract.ts'
import { expiryOf, normalizeMetadata } from '../metadata/metadata.ts'
import type { PromptOffer } from '../prompts/offer.ts'
import { languageOfNew } from './language.ts'

/** Entry before it is stored: complete, validated and normalised. */
export type EntryDraft = Omit<
  Entry,
  | 'id'
  | 'tenant_id'
  | 'version'
  | 'embedding_model'
  | 'created_at'
  | 'updated_at'
  | 'created_by_user_id'
  | 'category_path'
  | 'url'
> & {
  readonly url: string | null
  readonly related_themes: string | null
  readonly expires_at: number | null
}

/**
 * Makes a draft of an input: fills in defaults and normalises the metadata.
 * @param visibility used when the input has none
 * @throws Fault invalid, with the faults of the metadata
 */
export function draftOf(
  caller: Pick<Caller, 'tenant'>,
  input: EntryCreate,
  visibility: Visibility = 'internal',
): EntryDraft {
  const type = input.type ?? 'knowledge'
  const metadata = normalizeMetadata(type, input.metadata ?? {})
  return {
    type,
    title: input.title,
    content: input.content,
    category_id: input.category_id,
    visibility: input.visibility ?? visibility,
    summary: input.summary ?? null,
    layer: input.layer ?? null,
    language: input.language ?? languageOfNew(input, caller.tenant.settings.language),
    tags: unique(input.tags),
    search_keywords: unique(input.search_keywords),
    metadata,
    translation_group_id: input.translation_group_id ?? newId(),
    workspace_id: input.workspace_id ?? null,
    source: input.source ?? 'manual',
    source_reference: input.source_reference ?? null,
    url: input.url ?? null,
    related_themes: input.related_themes ?? null,
    expires_at: expiryOf(type, metadata),
  }
}

function unique(values: readonly string[] = []): string[] {
  return [...new Set(values)]
}

/** Columns of a row that the service sets. The author of the entry sets the others. */
interface RowFacts {
  readonly tenantId: string
  readonly id: string
  readonly ownerId: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
  readonly seq: number
  readonly offer: PromptOffer
}

/** Returns the row of a draft, without an embedding model: the row has no vectors yet. */
export function rowOf(draft: EntryDraft, facts: RowFacts): EntryRow {
  return {
    tenant_id: facts.tenantId,
    id: facts.id,
    type: draft.type,
    title: draft.title,
    content: draft.content,
    summary: draft.summary,
    category_id: draft.category_id,
    visibility: draft.visibility,
    layer: draft.layer,
    language: draft.language,
    tags: JSON.stringify(draft.tags),
    search_keywords: JSON.stringify(draft.search_keywords),
    metadata: JSON.stringify(draft.metadata),
    related_themes: draft.related_themes,
    translation_group_id: draft.translation_group_id,
    workspace_id: draft.workspace_id,
    source: draft.source,
    source_reference: draft.source_reference,
    url: draft.url,
    created_by_user_id: facts.ownerId,
    version: facts.version,
    embedding_model: null,
    expires_at: draft.expires_at,
    created_at: facts.createdAt,
    updated_at: facts.updatedAt,
    seq: facts.seq,
    text_seq: facts.seq,
    prompts_others: facts.offer.prompts_others,
    prompt_author_id: facts.offer.prompt_author_id,
  }
}

/** Columns that the service changes with every write. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['version', 'updated_at', 'seq', 'text_seq', 'embedding_model'])

/** Tells whether two rows agree in all columns except those that every write changes. */
export function sameContent(one: EntryRow, other: EntryRow): boolean {
  return (Object.keys(one) as (keyof EntryRow)[]).every(
    (column) =>
      BOOKKEEPING.has(column) ||
      one[column] === other[column] ||
      // Metadata is compared as JSON, because the order of its keys does not matter.
      (column === 'metadata' && isDeepStrictEqual(JSON.parse(one.metadata), JSON.parse(other.metadata))),
  )
}
