import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judgments } from './quality-metrics.ts'

/** Halves of the queries: `tune` is the one that the ranking may be tuned on, `held` is held back. */
export const SPLITS = ['tune', 'held'] as const
export type Split = (typeof SPLITS)[number]

/** The kind of query whose right answer is no hit. */
export const NOTHING_FITS = 'nothing fits'

export interface JudgedQuery {
  readonly id: string
  readonly kind: string
  readonly text: string
  readonly split: Split
}

export interface NonsenseQuery extends JudgedQuery {
  /** The language with the sounds and keyboard of the nonsense. */
  readonly style: string
}

const JUDGED = join(import.meta.dirname, 'judged')

/**
 * Reads the queries of a file.
 * @param name of a file in `bench/judged`, without `-queries.tsv`
 */
export function readJudgedQueries(name: string): JudgedQuery[] {
  return rowsOf(`${name}-queries.tsv`).map(([id, kind, text, split]) => ({ id, kind, text, split: splitOf(split) }))
}

/**
 * Reads the judgments of a file.
 * @returns grades by query and by the judged document
 */
export function readGrades(name: string): Map<string, Judgments> {
  const grades = new Map<string, Map<string, number>>()
  for (const [query, judged, grade] of rowsOf(`${name}-judgments.tsv`)) {
    const ofQuery = grades.get(query) ?? new Map<string, number>()
    grades.set(query, ofQuery.set(judged, Number(grade)))
  }
  return grades
}

export function readNonsense(): NonsenseQuery[] {
  return rowsOf('nonsense-queries.tsv').map(([id, style, kind, text, split]) => {
    return { id, style, kind, text, split: splitOf(split) }
  })
}

/** Returns the tab-separated rows under the header of a file. */
function rowsOf(name: string): string[][] {
  const lines = readFileSync(join(JUDGED, name), 'utf8').split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}

function splitOf(text: string): Split {
  const split = SPLITS.find((each) => each === text)
  if (split === undefined) throw new Error(`A query is marked "${text}", neither ${SPLITS.join(' nor ')}`)
  return split
}
