import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judgments } from './quality-metrics.ts'

/** A test collection: documents, queries, and the documents that answer each query. */
export interface Collection {
  readonly name: string
  readonly language: string
  /** Published nDCG@10 of the BM25 baseline. */
  readonly baseline: number
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly queries: readonly { readonly id: string; readonly text: string }[]
  readonly judgments: ReadonlyMap<string, Judgments>
}

/** Folder of the collections unless a command names another one; they are not part of this repository. */
export const COLLECTIONS_FOLDER = process.env.COLLECTIONS

const COLLECTIONS = [
  { name: 'cranfield', language: 'en', baseline: 0.518, judgments: 'qrels-minus1-relevant.tsv' },
  { name: 'xquad-de', language: 'de', baseline: 0.942, judgments: 'qrels.tsv' },
]

/** Reads the collections. @throws Error of the file system when a file is missing */
export function readCollections(folder: string): Collection[] {
  return COLLECTIONS.map(({ name, language, baseline, judgments }) => ({
    name,
    language,
    baseline,
    documents: readLines(join(folder, name, 'docs.jsonl')),
    queries: readLines(join(folder, name, 'queries.jsonl')),
    judgments: readJudgments(join(folder, name, judgments)),
  }))
}

/** Reads Cranfield's judgments in which the grade -1 counts as irrelevant. */
export function readStrictJudgments(folder: string): ReadonlyMap<string, Judgments> {
  return readJudgments(join(folder, 'cranfield/qrels.tsv'))
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

/** Reads lines of query id, document id and grade, under a header. */
function readJudgments(file: string): Map<string, Map<string, number>> {
  const judgments = new Map<string, Map<string, number>>()
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.trimEnd().split('\t')
    if (grade === undefined) continue
    const judged = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, judged.set(document, Number(grade)))
  }
  return judgments
}
