import { Fault, type FaultDetail } from '../faults.ts'
import { FAULTS_MAX } from './check-faults.ts'

/** The part of a contract that gives the order of its fields. */
interface Fields {
  readonly properties: Readonly<Record<string, unknown>>
}

/** The parts of a request, in the order in which an answer lists their faults. */
const PARTS = ['path', 'query', 'header', 'body']

/**
 * Joins several faults into one. The first fault decides the kind. Each place appears once, with its earliest fault, in
 * the order of the contract. Only faults of the first faulty part of the request are kept.
 */
export function joinFaults(first: Fault, further: readonly Fault[], contract: Fields): Fault {
  if (further.length === 0) return first
  const places = new Map<string, FaultDetail>()
  for (const detail of [first, ...further].flatMap(({ details }) => details)) {
    const place = JSON.stringify(detail.loc)
    if (!places.has(place)) places.set(place, detail)
  }
  const names = Object.keys(contract.properties)
  const details = [...places.values()]
    .map((detail) => ({ detail, rank: rankOf(detail.loc, names) }))
    .sort(({ rank: one }, { rank: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2])
    .map(({ detail }) => detail)
    .filter(({ loc }, _, [{ loc: firstLoc }]) => loc[0] === firstLoc[0])
  const scopes = new Set([first, ...further].flatMap((fault) => fault.scopes))
  return new Fault(first.kind, details.slice(0, FAULTS_MAX), { scopes: [...scopes] })
}

/** Ranks a place by part, field and item. A fault without a field or item comes first, one of an unknown field last. */
function rankOf([part, field, item]: readonly string[], names: readonly string[]): readonly [number, number, number] {
  const position = field === undefined ? -1 : names.indexOf(field)
  const isUnknown = field !== undefined && position < 0
  return [PARTS.indexOf(part), isUnknown ? names.length : position, /^\d+$/.test(item) ? Number(item) : -1]
}

/** Tells whether the fault is about the request's content, as opposed to stored state or a failure. */
function isAboutInput({ kind, details }: Fault): boolean {
  if (kind !== 'invalid' && kind !== 'forbidden') return false
  return details.some(({ loc }) => loc[0] === 'body' || loc[0] === 'query')
}

/**
 * Adds further faults to the refusal of an input. Rules stop at the first fault, but callers should learn all of them.
 * @param error error of a rule; only a fault of the input gets further faults
 * @param findFurther checks the whole input again, and may find the first fault once more
 * @returns the error to throw
 */
export async function withFurtherFaults(
  error: unknown,
  findFurther: () => Promise<readonly Fault[]>,
  contract: Fields,
): Promise<unknown> {
  if (!(error instanceof Fault) || !isAboutInput(error)) return error
  return joinFaults(error, await findFurther(), contract)
}

/** Runs every check and collects its faults of the input. @throws any other error of a check */
export async function faultsOf(checks: readonly (() => unknown)[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof Fault) || !isAboutInput(error)) throw error
      faults.push(error)
    }
  }
  return faults
}
