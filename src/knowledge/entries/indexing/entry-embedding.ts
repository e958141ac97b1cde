import type { EntryRow, EntryVectorsRow } from '../../../platform/database/tables.ts'
import type { EmbeddedKind } from '../../../embedding/embedded-kind.ts'
import { splitPassages } from '../../../embedding/passages.ts'
import { decodePassages, decodeVector, encodeVector, encodeVectors } from '../../../embedding/vector-codec.ts'

/**
 * Content up to this many characters is embedded within the write by the built-in model, which takes about 2 ms of the
 * thread that answers HTTP. Longer content, and other models, go through the queue.
 */
const SHORT_CONTENT_MAX = 20_000

type EmbeddedEntry = Pick<EntryRow, 'id' | 'version' | 'title' | 'content' | 'related_themes'>
export type EntryVectors = Pick<EntryVectorsRow, 'offsets' | 'vectors' | 'related'>

/** Embedding of entries: a vector for each passage, and one for the related themes of entries that have them. */
export const ENTRY_EMBEDDING: EmbeddedKind<EmbeddedEntry, EntryVectors> = {
  name: 'entry',
  tables: {
    documents: 'entries',
    vectors: 'entry_vectors',
    tombstones: 'entry_tombstones',
    idColumn: 'entry_id',
  },
  versionColumn: 'version',
  textColumns: ['title', 'content', 'related_themes'],
  passageColumns: ['offsets', 'vectors'],
  // Vector of `related_themes`, the text that is written to find related entries.
  anchorColumn: 'related',

  textsOf(row, sizes) {
    const passages = splitPassages(row.title, row.content, sizes)
    const texts = passages.map((passage) => passage.text)
    return {
      texts: row.related_themes ? [...texts, row.related_themes] : texts,
      encode: (vectors) => ({
        ...encodeVectors(passages, vectors.slice(0, passages.length)),
        related: vectors.length > passages.length ? encodeVector(vectors[passages.length]) : null,
      }),
    }
  },

  vectorsOf: ({ offsets, vectors, related }) => {
    const passages = decodePassages({ offsets, vectors }).map(({ vector }) => vector)
    return related === null ? passages : [...passages, decodeVector(related)]
  },

  isShort: (row) => row.content.length <= SHORT_CONTENT_MAX,
  passagesOf: (_row, stored) => decodePassages(stored),
}
