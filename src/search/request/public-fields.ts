import type { Caller } from '../../platform/access/caller.ts'
import { FAULTS_MAX } from '../../platform/contract/check-faults.ts'
import { Fault } from '../../platform/faults.ts'
import type { SearchFields } from './fields.ts'

/**
 * The fields that hits have for a caller: those it chose, or for a publishable key all that are public if it chose none.
 * @param open the public ones
 * @param place where the choice stands in the request
 * @throws Fault invalid at each field that visitors of a page may not have
 */
export function fieldsFor<Field extends string>(
  { publishable }: Pick<Caller, 'publishable'>,
  chosen: readonly Field[] | undefined,
  open: readonly Field[],
  place: readonly string[],
): readonly Field[] | undefined {
  if (publishable === undefined) return chosen
  if (chosen === undefined) return open
  const msg = `A publishable key gives only ${open.join(', ')}`
  const faults = chosen.flatMap((field, i) =>
    open.includes(field) ? [] : [{ loc: [...place, `${i}`], type: 'private_field', msg }],
  )
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
  return chosen
}

/** The fields that a caller may filter by, count and sort by: what a hit does not show, these would tell as well. */
export function askableBy(
  { publishable }: Pick<Caller, 'publishable'>,
  fields: SearchFields,
  open: SearchFields,
): SearchFields {
  return publishable === undefined ? fields : open
}
