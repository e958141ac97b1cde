import type { RoutePlugin } from '../../../platform/http/route.ts'
import { EntryBulkDelete, EntryBulkDeleted } from '../contract.ts'
import type { EntryBulkDeleteRules } from './bulk-delete-rules.ts'

export function entryBulkDeleteRoutes(rules: EntryBulkDeleteRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/knowledge-entries/bulk-delete',
      schema: {
        operationId: 'bulkDeleteEntries',
        tags: ['Knowledge entries'],
        summary: 'Delete many entries',
        description:
          'Send `entry_ids`, or a `filter` with the filters of the list, and first `dry_run` to see how many there ' +
          'are. Each call is one transaction. Of named entries all are deleted or, when one does not exist for the ' +
          'caller, none (422 at its place). A filter finds what the list would show the caller, private notes ' +
          'included; a call deletes at most 500 of them, or about 8 MiB, the newest first, and `remaining` says how ' +
          'many are left. It needs knowledge:read too, because the answer tells how many there are.',
        body: EntryBulkDelete,
        response: { 200: EntryBulkDeleted },
      },
      config: {
        scopes: ['knowledge:read', 'knowledge:delete'],
        furtherFaults: ({ caller, body }) => rules.faultsOf(caller, body),
      },
      handler: (request) => rules.remove(request.caller, request.body),
    })
  }
}
