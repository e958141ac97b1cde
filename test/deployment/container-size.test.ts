import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inContainer } from '../../bench/memory-containers.ts'
import { BUDGETS_MB, fillTenants, pressTenants, rareWords } from '../../bench/memory-data.ts'
import { containerMb } from '../../bench/support/memory-limit.ts'

/** The smallest budget that is measured, and tenants whose indexes take more. */
const BUDGET_MB = Math.min(...BUDGETS_MB)
const TENANTS = 10

test('with a small budget the service stays within its container while more indexes than fit are searched and written', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-container-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const data = rareWords(TENANTS)
  const figures = await inContainer(BUDGET_MB, { DATA_DIR: dataDir }, async (service) => {
    await pressTenants(service, await fillTenants(service, data), data)
  })
  t.diagnostic(JSON.stringify(figures))
  assert.ok(figures.evictions > 0, 'all indexes fit into the budget, so the test tries nothing')
  assert.ok(figures.ownMb <= figures.containerMb, `${figures.ownMb} of ${figures.containerMb} MB`)
  // Where no control group can be made, nothing is killed for its sake.
  assert.equal(figures.killed ?? 0, 0)
})

test('the page about operation states the size of a container for each budget that is measured', () => {
  const page = readFileSync('docs/operations/grow.md', 'utf8')
  const [table] = /^\| `SEARCH_MEMORY_MB` \| MB of the container \|.*\n(?:\|.*\n)+/m.exec(page)!
  const rows = table.trimEnd().split('\n').slice(2)
  const stated = rows.map((row) => row.replaceAll(',', '').split('|').slice(1, 3).map(Number))
  assert.deepEqual(
    stated.map(([budgetMb]) => budgetMb),
    BUDGETS_MB,
  )
  for (const [budgetMb, sizeMb] of stated) assert.equal(sizeMb, containerMb(budgetMb), `${budgetMb} MB`)
})
