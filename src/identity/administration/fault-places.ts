import { Fault, notFound } from '../../platform/faults.ts'

/** First parts of a place in a request. Faults of rules that only routes call, such as a proof's, begin with one. */
const PARTS = new Set(['body', 'header', 'path', 'query'])

/**
 * Gives the faults of a rule the places that a route's client knows. The command line shares such rules, so they name
 * bare fields. Here a field's place begins with `body`, and the place of `not_found` is a path parameter.
 * @param parameter name of the path parameter
 * @param thing the missing thing as the message names it, such as `User`
 */
export async function withRequestPlaces<T>(work: Promise<T>, parameter: string, thing: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.kind === 'not_found') throw notFound(['path', parameter], thing)
    if (error.kind !== 'invalid' && error.kind !== 'conflict') throw error
    const details = error.details.map((each) => ({
      ...each,
      loc: PARTS.has(each.loc[0]) ? each.loc : ['body', ...each.loc],
    }))
    throw error.withDetails(details, error)
  }
}
