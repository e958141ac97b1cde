import { invalid } from '../../platform/faults.ts'
import type { Sort } from '../engine.ts'
import type { SearchSort } from './contract.ts'
import { fieldOf, namesOf, type SearchFields } from './fields.ts'

/**
 * The order that a search asks for.
 * @param place where it stands in the request
 * @throws Fault invalid at its field
 */
export function compileSort({ field: name, order }: SearchSort, fields: SearchFields, place: readonly string[]): Sort {
  const field = fieldOf(fields, name)
  const descending = order === 'desc'
  if (field === 'property') return { number: name, descending }
  if (field?.kind === 'title') return { text: true, descending }
  if (field?.kind === 'number') {
    const { number, instead } = field
    return { number, descending, ...(instead === undefined ? {} : { instead }) }
  }
  const names = namesOf(fields, ({ kind }) => kind === 'number' || kind === 'title')
  throw invalid([...place, 'field'], 'enum', `Input should be ${names}`)
}
