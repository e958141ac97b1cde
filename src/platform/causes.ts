/** Length of the chain of causes of an error that is searched. */
const CAUSES_MAX = 5

/** Yields an error and its causes, the outermost first; of several errors together, the first. */
export function* causesOf(error: unknown): Generator<Error> {
  let at = error
  for (let i = 0; i < CAUSES_MAX && at instanceof Error; i++) {
    yield at
    at = at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at.cause
  }
}
