import { Contract, Int, ListOf, OneOf, Type, Uuid, type TSchema } from './schema.ts'

/** What became of one line of a bulk request; `reference` is the field by which its sender knows it. */
export function bulkResult<const T extends Record<string, TSchema>>(name: string, reference: T) {
  return Contract(
    name,
    {
      line: Int({ minimum: 1, description: 'Counted from 1, blank lines too' }),
      status: OneOf(['created', 'updated', 'unchanged', 'failed']),
      id: Type.Optional(Uuid({ description: 'Absent when it failed' })),
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
