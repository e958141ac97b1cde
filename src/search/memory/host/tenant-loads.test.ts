import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { TenantLoads } from './tenant-loads.ts'

const sizes = (bytes: Readonly<Record<string, number>>) =>
  new Map(Object.entries(bytes).map(([tenantId, each]) => [tenantId, { bytes: each, heapBytes: 0 }]))

test('work is told once, with the memory of the tenants that worked, grew or lost their indexes', () => {
  const loads = new TenantLoads()
  loads.add('busy', 2)
  loads.add('busy', 3)
  deepEqual(loads.take(sizes({ busy: 100, quiet: 50 })), [
    { tenantId: 'busy', workMs: 5, bytes: 100 },
    { tenantId: 'quiet', workMs: 0, bytes: 50 },
  ])
  deepEqual(loads.take(sizes({ busy: 100, quiet: 50 })), [])
  loads.add('busy', 1)
  deepEqual(loads.take(sizes({ busy: 120 })), [
    { tenantId: 'busy', workMs: 1, bytes: 120 },
    { tenantId: 'quiet', workMs: 0, bytes: 0 },
  ])
})
