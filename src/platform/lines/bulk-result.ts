import { Contract, Int, ListOf, OneOf, type Static, Type, Uuid, type TSchema } from '../contract/schema.ts'

const STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const

interface Wording {
  /** Outcomes of a line beside created, updated, unchanged and failed. */
  readonly more?: readonly string[]
  /** Description of the field `id`, which says when it is absent. */
  readonly absentId: string
}

const Watermark = Type.Optional(
  Type.String({
    description:
      'Names the last change so far, for X-Min-Watermark of a search. The last line of the answer has it, others may; ' +
      'absent in a dry run',
  }),
)

/**
 * Returns the contract of the outcome of one line of a bulk request.
 * @param own fields of this kind of line, such as those by which the sender recognises it
 */
export function bulkResult<const T extends Record<string, TSchema>>(
  name: string,
  own: T,
  { more = [], absentId }: Wording,
) {
  return Contract(
    name,
    {
      line: Int({ minimum: 1, description: 'Counted from 1, blank lines too' }),
      status: OneOf([...STATUSES, ...more]),
      id: Type.Optional(Uuid({ description: absentId })),
      ...own,
      watermark: Watermark,
      detail: Type.Optional(
        ListOf(Type.Object({ loc: ListOf(Type.String()), msg: Type.String(), type: Type.String() }), {
          description:
            'Why it failed, as in the body of an error; absent otherwise. After 20 faults, or about 4,096 characters, ' +
            'one of type more_faults says how many more there are',
        }),
      ),
    },
    { description: 'What became of one line' },
  )
}

export const BulkEnded = Contract(
  'BulkEnded',
  {
    status: OneOf(['ended']),
    line: Int({ minimum: 1, description: 'The last line read' }),
    blank: Int({ minimum: 0, description: 'Lines that were blank' }),
    failed: Int({ minimum: 0, description: 'Lines that failed' }),
    reason: Type.String(),
    watermark: Watermark,
  },
  {
    description:
      'The last line of the answer to a stream that was not read to its end: more than 10,000 lines, and more than ' +
      'half of all, were blank or failed, or the service is stopping. What was stored before stays; nothing is retired',
  },
)
export type BulkEnded = Static<typeof BulkEnded>
