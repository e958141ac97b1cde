/** One call of one client on one object, with its answer. */
export interface Operation<Asked, Told> {
  readonly asked: Asked
  /** Answer; null when there was none. Then the operation may have happened at any time after its call, or never. */
  readonly told: Told | null
  readonly calledAtMs: number
  readonly toldAtMs: number
}

/**
 * Returns the state of an object after an operation; undefined where the object would not have told that answer.
 * @param told null when no client was told an answer
 */
export type Step<State, Asked, Told> = (state: State, asked: Asked, told: Told | null) => State | undefined

/**
 * Tells whether the operations could have happened one by one, each at a moment between its call and its answer, and
 * have told what they did. J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (1993), with the memory
 * of states already visited of G. Lowe, "Testing for linearizability" (2017). The time grows with the number of ways to
 * order what ran at once, so give it the history of one object at a time.
 * @param initial state before the first operation, as JSON would have it
 */
export function isLinearizable<State, Asked, Told>(
  operations: readonly Operation<Asked, Told>[],
  initial: State,
  step: Step<State, Asked, Told>,
): boolean {
  const all = operations.map((each) => (each.told === null ? { ...each, toldAtMs: Infinity } : each))
  const answered = all.reduce((bits, { told }, i) => (told === null ? bits : bits | (1n << BigInt(i))), 0n)
  const visited = new Set<string>()
  const open: { done: bigint; state: State }[] = [{ done: 0n, state: initial }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { done, state } = at
    if ((done & answered) === answered) return true
    const left = all
      .map((operation, i) => ({ operation, bit: 1n << BigInt(i) }))
      .filter(({ bit }) => (done & bit) === 0n)
    // What was called after another was answered cannot come before it.
    const firstAnswerMs = Math.min(...left.map(({ operation }) => operation.toldAtMs))
    for (const { operation, bit } of left) {
      if (operation.calledAtMs > firstAnswerMs) continue
      const next = step(state, operation.asked, operation.told)
      if (next === undefined) continue
      const place = `${done | bit} ${JSON.stringify(next)}`
      if (visited.has(place)) continue
      visited.add(place)
      open.push({ done: done | bit, state: next })
    }
  }
  return false
}
