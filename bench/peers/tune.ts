import type { LoadProcess } from '../support/load.ts'
import type { Question } from './collection.ts'
import type { Contestant } from './contestant.ts'
import type { Tuning } from './engine.ts'
import { answersOf, measure } from './measure.ts'
import type { Ladder } from './tunings.ts'

/** What every engine is tuned to, where it reaches it. */
export const RECALL = 0.999

const TRIAL = { warmUpMs: 300, measureMs: 1_000 }

export interface Tuned {
  readonly tuning: Tuning
  readonly recall: number
}

/**
 * Tunes a contestant: the first step of each ladder that reaches the recall, and of these the one that takes the least
 * processor time; where none reaches it, the one that comes nearest.
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
  const reached: Tuned[] = []
  for (const ladder of ladders) reached.push(await climb(contestant, ladder, questions.slice(0, judged), recallOf))
  const best = Math.min(RECALL, Math.max(...reached.map(({ recall }) => recall)))
  const good = reached.filter(({ recall }) => recall >= best)
  let chosen = good[0]
  let least = Infinity
  for (const each of good.length === 1 ? [] : good) {
    await contestant.tune(each.tuning)
    const { cpuPer1000 } = await measure(load, contestant, questions, TRIAL)
    if (cpuPer1000 < least) [chosen, least] = [each, cpuPer1000]
  }
  await contestant.tune(chosen.tuning)
  return chosen
}

async function climb(
  contestant: Contestant,
  ladder: Ladder,
  questions: readonly Question[],
  recallOf: (answers: readonly (readonly number[])[]) => number,
): Promise<Tuned> {
  let best: Tuned = { tuning: ladder[0], recall: -1 }
  for (const tuning of ladder) {
    await contestant.tune(tuning)
    const recall = recallOf(await answersOf(contestant, questions))
    if (recall > best.recall) best = { tuning, recall }
    if (recall >= RECALL) break
  }
  return best
}
