import type { LoadProcess } from '../support/load.ts'
import type { Question } from './collection.ts'
import type { Contestant } from './contestant.ts'
import type { Tuning } from './engine.ts'
import { answersOf, measure } from './measure.ts'
import type { Ladder } from './tunings.ts'

/** Recall that every engine is tuned to, where it reaches it. */
export const RECALL = 0.999

export const TRIAL = { warmUpMs: 500, measureMs: 2_000 }

interface Reached {
  readonly tuning: Tuning
  readonly recall: number
}

export interface Tuned extends Reached {
  /** Figures of the other ways, in a short load. */
  readonly others: readonly (Reached & { readonly cpuPer1000: number })[]
}

/**
 * Tunes a contestant. Of each ladder it takes the first step that reaches the recall, and of these steps the one with
 * the least processor time. Where none reaches the recall, it takes the nearest one.
 * @param recallOf the recall of answers to the first of the questions
 */
export async function tune(
  contestant: Contestant,
  ladders: readonly Ladder[],
  load: LoadProcess,
  questions: readonly Question[],
  judged: number,
  recallOf: (answers: readonly (readonly number[])[]) => number,
): Promise<Tuned> {
  const tried: (Reached & { cpuPer1000: number })[] = []
  for (const ladder of ladders) {
    const reached = await climb(contestant, ladder, questions.slice(0, judged), recallOf)
    await contestant.tune(reached.tuning)
    const cpuPer1000 = ladders.length === 1 ? 0 : (await measure(load, contestant, questions, TRIAL)).cpuPer1000
    tried.push({ ...reached, cpuPer1000 })
  }
  const goal = Math.min(RECALL, Math.max(...tried.map(({ recall }) => recall)))
  const good = tried.filter(({ recall }) => recall >= goal)
  const chosen = good.reduce((a, b) => (b.cpuPer1000 < a.cpuPer1000 ? b : a))
  await contestant.tune(chosen.tuning)
  return { tuning: chosen.tuning, recall: chosen.recall, others: tried.filter((each) => each !== chosen) }
}

async function climb(
  contestant: Contestant,
  ladder: Ladder,
  questions: readonly Question[],
  recallOf: (answers: readonly (readonly number[])[]) => number,
): Promise<Reached> {
  let best: Reached = { tuning: ladder[0], recall: -1 }
  for (const tuning of ladder) {
    await contestant.tune(tuning)
    const recall = recallOf(await answersOf(contestant, questions))
    if (recall > best.recall) best = { tuning, recall }
    if (recall >= RECALL) break
  }
  return best
}
