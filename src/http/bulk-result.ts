import { Contract, Int, ListOf, OneOf, Type, Uuid, type TSchema } from './schema.ts'

const STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const

/**
 * What became of one line of a bulk request.
 * @param reference the field by which its sender knows it
 * @param more what may become of it beside being created, updated, left unchanged or refused
 */
export function bulkResult<const T extends Record<string, TSchema>>(
  name: string,
  reference: T,
  more: readonly string[] = [],
) {
  return Contract(
    name,
    {
      line: Int({ minimum: 1, description: 'Counted from 1, blank lines too' }),
      status: OneOf([...STATUSES, ...more]),
      id: Type.Optional(Uuid({ description: 'Absent when it failed, and where it would tell what is stored' })),
      ...reference,
      detail: Type.Optional(
        ListOf(Type.Object({ loc: ListOf(Type.String()), msg: Type.String(), type: Type.String() }), {
          description: 'Why it failed, as in the body of an error; absent otherwise',
        }),
      ),
    },
    { description: 'What became of one line' },
  )
}
