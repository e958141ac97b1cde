import { Fault, notFound } from '../../platform/faults.ts'

/**
 * Turns the faults of a rule that the command line shares into those of a route: a field is in the body, and what is
 * missing is what the path names.
 */
export async function inRequest<T>(work: Promise<T>, parameter: string, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.kind === 'not_found') throw notFound(['path', parameter], what)
    if (error.kind !== 'invalid' && error.kind !== 'conflict') throw error
    const details = error.details.map((each) => ({ ...each, loc: ['body', ...each.loc] }))
    throw error.withDetails(details, error)
  }
}
