import type { Caller } from '../../platform/access/caller.ts'
import { FAULTS_MAX } from '../../platform/contract/check-faults.ts'
import { Fault } from '../../platform/faults.ts'
import type { SearchFields } from './fields.ts'

/**
 * Returns the fields that hits show to a caller: those that the request chose. A publishable key gets all public fields
 * if the request chose none.
 * @param publicFields fields that a publishable key may read
 * @param place place of the choice in the request, for faults
 * @returns undefined for all fields of the kind
 * @throws Fault invalid at each chosen field that a publishable key may not read
 */
export function fieldsFor<Field extends string>(
  { publishable }: Pick<Caller, 'publishable'>,
  chosen: readonly Field[] | undefined,
  publicFields: readonly Field[],
  place: readonly string[],
): readonly Field[] | undefined {
  if (publishable === undefined) return chosen
  if (chosen === undefined) return publicFields
  const msg = `A publishable key gives only ${publicFields.join(', ')}`
  const faults = chosen.flatMap((field, i) =>
    publicFields.includes(field) ? [] : [{ loc: [...place, `${i}`], type: 'private_field', msg }],
  )
  if (faults.length > 0) throw new Fault('invalid', faults.slice(0, FAULTS_MAX))
  return chosen
}

/**
 * Returns the fields by which a caller may filter, count and sort. A publishable key gets public fields alone, because
 * a filter, a facet or a sort order would reveal the value of a field that hits do not show.
 */
export function searchFieldsFor(
  { publishable }: Pick<Caller, 'publishable'>,
  fields: SearchFields,
  publicFields: SearchFields,
): SearchFields {
  return publishable === undefined ? fields : publicFields
}
