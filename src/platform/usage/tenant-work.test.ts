import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { TenantWork, TOP_TENANTS, watchTenants } from './tenant-work.ts'

const MINUTE_MS = 60_000
const load = (workMs: number) => ({ requests: 1, workMs, transferred: 100 })

test('the busiest tenants are those of the last minutes, not those of the whole life of the process', () => {
  let now = 0
  const work = new TenantWork(() => now)
  work.note('former', load(10_000))
  now = 60 * MINUTE_MS
  work.note('present', load(100))
  deepEqual(
    work.busiest().map(([tenantId]) => tenantId),
    ['present', 'former'],
  )
  deepEqual(
    work.busiest(1).map(([, { requests, workMs }]) => [requests, workMs]),
    [[1, 100]],
  )
})

test('metrics name ten tenants, however many there are, and say what each took', async () => {
  const registry = new Registry()
  const work = new TenantWork()
  watchTenants(registry, work)
  for (let i = 1; i <= 50; i++) work.note(`tenant-${i}`, load(i * 1_000))
  work.note('tenant-50', load(500))
  work.noteIndex('tenant-50', 4_096)
  const text = await registry.metrics()
  const series = text.split('\n').filter((line) => line.startsWith('tenant_'))
  equal(series.length, 4 * TOP_TENANTS)
  const ofFirst = series.filter((line) => line.includes('tenant="tenant-50"'))
  deepEqual(ofFirst, [
    'tenant_requests_total{tenant="tenant-50"} 2',
    'tenant_work_seconds_total{tenant="tenant-50"} 50.5',
    'tenant_transferred_bytes_total{tenant="tenant-50"} 200',
    'tenant_index_bytes{tenant="tenant-50"} 4096',
  ])
  equal(text.includes('tenant="tenant-40"'), false)
})
