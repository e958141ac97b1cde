/** One call of one client on one object, with its answer. */
export interface Operation<Request, Answer> {
  readonly request: Request
  /** Null when no client got an answer. Then the operation may have happened at any time after its call, or never. */
  readonly answer: Answer | null
  readonly calledAtMs: number
  readonly answeredAtMs: number
}

/**
 * Returns the state of an object after an operation; undefined where the object would not have given that answer.
 * @param answer null when no client got one
 */
export type Step<State, Request, Answer> = (state: State, request: Request, answer: Answer | null) => State | undefined

/**
 * Tells whether the operations could have happened one by one, each at a moment between its call and its answer, with
 * these answers. J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (1993), with the memory of states
 * already visited of G. Lowe, "Testing for linearizability" (2017). The time grows with the number of ways to order what
 * ran at once, so give it the history of one object at a time.
 * @param initial state before the first operation, as JSON would have it
 */
export function isLinearizable<State, Request, Answer>(
  operations: readonly Operation<Request, Answer>[],
  initial: State,
  step: Step<State, Request, Answer>,
): boolean {
  const all = operations.map((each) => (each.answer === null ? { ...each, answeredAtMs: Infinity } : each))
  const answered = all.reduce((bits, { answer }, i) => (answer === null ? bits : bits | (1n << BigInt(i))), 0n)
  const visited = new Set<string>()
  const open: { done: bigint; state: State }[] = [{ done: 0n, state: initial }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { done, state } = at
    if ((done & answered) === answered) return true
    const left = all
      .map((operation, i) => ({ operation, bit: 1n << BigInt(i) }))
      .filter(({ bit }) => (done & bit) === 0n)
    // What was called after another was answered cannot come before it.
    const firstAnswerMs = Math.min(...left.map(({ operation }) => operation.answeredAtMs))
    for (const { operation, bit } of left) {
      if (operation.calledAtMs > firstAnswerMs) continue
      const next = step(state, operation.request, operation.answer)
      if (next === undefined) continue
      const place = `${done | bit} ${JSON.stringify(next)}`
      if (visited.has(place)) continue
      visited.add(place)
      open.push({ done: done | bit, state: next })
    }
  }
  return false
}
