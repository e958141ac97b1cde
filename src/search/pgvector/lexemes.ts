/** Encodes terms of all partitions as lexemes of one `tsvector`: a letter for the partition, then the term. */
import type { Partition } from '../analysis/analysis.ts'
import type { PartitionTerm } from '../memory/query/keyword.ts'

const LETTERS: Readonly<Record<Partition, string>> = { de: 'd', en: 'e', other: 'o' }
/** Most bytes of a lexeme; PostgreSQL takes less than 2 KiB. */
const LEXEME_BYTES_MAX = 2_000
/** Most bytes of all lexemes of a `tsvector`; PostgreSQL takes less than 1 MiB. */
const VECTOR_BYTES_MAX = 1_000_000

export function lexemeOf({ partition, term }: PartitionTerm): string {
  return LETTERS[partition] + term
}

/** Tells whether a `tsvector` can have a lexeme. Documents lack a longer one, and in a `tsquery` it is an error. */
export function fitsVector(lexeme: string): boolean {
  return Buffer.byteLength(lexeme) <= LEXEME_BYTES_MAX
}

export function termOfLexeme(lexeme: string): string {
  return lexeme.slice(1)
}

/** Returns the lexemes of a document that fit into a `tsvector`, the most frequent first. */
export function lexemesOf(partition: Partition, frequencies: ReadonlyMap<string, number>): string[] {
  const byFrequency = [...frequencies].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  let bytes = 0
  return byFrequency.flatMap(([term]) => {
    const size = Buffer.byteLength(term) + 1
    if (size > LEXEME_BYTES_MAX || bytes + size > VECTOR_BYTES_MAX) return []
    bytes += size
    return [lexemeOf({ partition, term })]
  })
}

/** Returns a `tsquery` for documents that have at least one word of each list; no list may be empty. */
export function tsqueryOf(lists: readonly (readonly string[])[]): string {
  return lists.map((words) => `(${words.map(quoted).join(' | ')})`).join(' & ')
}

/** Returns a `tsquery` for documents that have a word with one of the beginnings. */
export function tsqueryOfPrefixes(starts: readonly string[]): string {
  return starts.map((start) => `${quoted(start)}:*`).join(' | ')
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
