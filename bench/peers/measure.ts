import { Pool } from 'undici'
import { type LoadFigures, loadFigures, type LoadSizes } from '../search-scenarios.ts'
import type { ClosedFigures, LoadProcess } from '../support/load.ts'
import type { Question } from './collection.ts'
import type { Contestant } from './contestant.ts'

const CONNECTIONS = 8
/** Number of queries whose answers are judged; the load asks all queries. */
export const JUDGED = 200
/** Number of answers that are judged however slow an engine is. */
const JUDGED_MIN = 40
export const PATIENCE_MS = 15_000

const COUNT_MAX = 200_000
/** Factor of time for an engine that has answered nothing. */
const LONGER = 16

/**
 * Loads a contestant with the questions in turns, and longer if it has answered nothing by then.
 * @throws Error when an answer was not a success, because the figures would mean nothing
 */
export async function measure(
  load: LoadProcess,
  contestant: Contestant,
  questions: readonly Question[],
  sizes: LoadSizes,
): Promise<LoadFigures> {
  const requests = questions.map((question) => contestant.requestOf(question))
  const { url, path } = contestant
  let cpu = 0
  const job = {
    kind: 'closed' as const,
    url,
    path,
    headers: {},
    headersInTurns: requests.map(({ headers }) => headers),
    bodies: requests.map(({ body }) => body),
    connections: CONNECTIONS,
    countMax: COUNT_MAX,
    ...sizes,
  }
  const run = (measureMs: number): Promise<ClosedFigures> =>
    load.runClosed({ ...job, measureMs }, (moment) => {
      cpu = moment === 'began' ? -contestant.cpuSeconds() : cpu + contestant.cpuSeconds()
    })
  let figures = await run(sizes.measureMs)
  if (figures.latencies.count === 0) figures = await run(sizes.measureMs * LONGER)
  const { seconds, failures, latencies } = figures
  if (failures > 0) throw new Error(`${failures} of ${latencies.count} answers of ${contestant.name} failed`)
  if (latencies.count === 0) throw new Error(`${contestant.name} answered nothing in ${seconds.toFixed(1)} s`)
  return loadFigures(figures, cpu, contestant.memoryMb())
}

/**
 * Returns the numbers of the entries that a contestant answers each question with. A slow engine answers only the first
 * questions, because no more are asked after a while.
 */
export async function answersOf(contestant: Contestant, questions: readonly Question[]): Promise<number[][]> {
  const pool = new Pool(contestant.url, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 })
  const answers: number[][] = []
  const began = performance.now()
  let next = 0
  const ask = async (): Promise<void> => {
    while (next < questions.length && (next < JUDGED_MIN || performance.now() - began < PATIENCE_MS)) {
      const at = next++
      const { body, headers } = contestant.requestOf(questions[at])
      const answer = await pool.request({ method: 'POST', path: contestant.path, headers, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${contestant.name} answered ${answer.statusCode}: ${text}`)
      const hits = JSON.parse(text) as { entry: { source_reference: string } }[]
      answers[at] = hits.map(({ entry }) => Number(entry.source_reference))
    }
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, ask))
    return answers
  } finally {
    await pool.close()
  }
}
