import { failures, type FailureRows } from './table.ts'

const NO_RANGE: FailureRows = {
  '422 value_error at query.from': {
    'a range that ends before it begins': { query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
  },
}

failures('Audit', {
  seed: async () => ({}),
  table: {
    'listAuditRecords GET /api/knowledge/audit-records': { fails: NO_RANGE },
    'exportAuditRecords GET /api/knowledge/audit-records/export': { fails: NO_RANGE },
  },
})
