import { invalid } from '../../platform/faults.ts'
import type { Sort } from '../engine.ts'
import type { SearchSort } from './contract.ts'
import { fieldOf, namesOf, type SearchFields } from './fields.ts'

/**
 * Compiles the sort order of a request to the engine's.
 * @param place place of the sort order in the request, for faults
 * @throws Fault invalid at `field` if hits cannot be sorted by it
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
