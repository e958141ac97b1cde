import {
  Contract,
  DateTime,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Type,
  Uuid,
} from '../../../platform/contract/schema.ts'

/** Most failed lines that a run records. */
export const KEPT_FAILURES_MAX = 10

const count = (description: string) => Int({ minimum: 0, description })

const FailedLine = Type.Object({
  line: Int({ minimum: 1 }),
  external_id: Nullable(Type.String(), { description: 'Null where the line has none that can be read' }),
  field: Type.String({ description: 'Path of the first field that is wrong; empty for the line as a whole' }),
  type: Type.String({ description: 'Of the first fault' }),
  message: Type.String(),
})
export type FailedLine = Static<typeof FailedLine>

export const ProductSyncRun = Contract('ProductSyncRun', {
  id: Uuid(),
  site_id: Uuid(),
  source: Type.String({ description: 'Of the products that it named: api, import or feed' }),
  sync: OneOf(['delta', 'full']),
  status: OneOf(['running', 'finished', 'broken_off'], {
    description: '`broken_off`: the feed was not read to its end, or nothing was heard of the push for ten minutes',
  }),
  started_at: DateTime(),
  seen_at: DateTime({ description: 'When it last stored something, or ended' }),
  created: count('Products that were new'),
  updated: count('Products with new content, and those that came back after a full sync had retired them'),
  unchanged: count('Products that were the same'),
  failed: count('Lines that were refused'),
  retired: count('Products that a full sync retired, because no line named them'),
  not_retired: count('Products that no line named, and that a full sync left alone'),
  refusal: Nullable(OneOf(['empty', 'unread', 'too many', 'stopped', 'useless']), {
    description:
      'Why they were left: the feed named no product (`empty`), a line could not be read (`unread`), `max_retired` was ' +
      'exceeded (`too many`), or retiring failed on the way (`stopped`). `useless`: the push ended early because most ' +
      'lines failed',
  }),
  reason: Nullable(Type.String(), { description: 'The same as a sentence, and what to do' }),
  failures: ListOf(FailedLine, { description: `The first ${KEPT_FAILURES_MAX} failed lines` }),
  by: Type.Object(
    {
      kind: OneOf(['key', 'token', 'session', 'command_line']),
      id: Nullable(Type.String(), { description: 'Of the key or session' }),
      name: Nullable(Type.String(), {
        description: 'Name of the key, or of the person; null once it is gone and for the command line',
      }),
    },
    { description: 'Who pushed' },
  ),
})
export type ProductSyncRun = Static<typeof ProductSyncRun>
