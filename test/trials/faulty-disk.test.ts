import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ServiceProcess } from '../durability/service-process.ts'
import type { Answer } from '../support/service.ts'
import { FaultyDisk } from './faulty-disk.ts'

const CATEGORIES = '/api/knowledge/categories'
const STEP_SECONDS = 1_800

const disk = FaultyDisk.build()
const skip = disk === null && 'no C compiler, or not on Linux'

describe('a service on a disk that a test makes fail', { skip }, () => {
  let dataDir: string
  let service: ServiceProcess

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'knowledge-faulty-'))
    service = await ServiceProcess.start({ options: { dataDir, databaseUrl: null } }, disk!.settings(dataDir))
  })
  after(async () => {
    await service.kill()
    rmSync(dataDir, { recursive: true, force: true })
    disk!.remove()
  })

  function write(name: string): Promise<Answer> {
    return service.call('POST', CATEGORIES, { body: { name } })
  }

  async function names(): Promise<string[]> {
    const { body } = await service.call('GET', CATEGORIES)
    return (body as { name: string }[]).map(({ name }) => name)
  }

  test('refuses writes while it is full, keeps nothing of them, and writes again when there is room', async () => {
    disk!.set({ write: 'full' })
    assert.equal((await write('full')).status, 507)
    assert.ok(!(await names()).includes('full'))
    disk!.set({})
    assert.equal((await write('room')).status, 201)
  })

  for (const [what, faults] of Object.entries({
    'writes fail': { write: 'broken' },
    'syncs fail': { sync: 'broken' },
  } as const)) {
    test(`refuses writes while ${what} and says that trying again does not help, and writes again afterwards`, async () => {
      disk!.set(faults)
      const { status, headers, body } = await write(what)
      assert.deepEqual([status, body.detail[0].type, headers.get('retry-after')], [500, 'storage_damaged', null])
      disk!.set({})
      assert.equal((await write(`after ${what}`)).status, 201)
      assert.ok((await names()).includes(`after ${what}`))
    })
  }

  test('takes the time from the clock that the test has stepped', async () => {
    disk!.set({ clockSeconds: STEP_SECONDS })
    await write('later')
    const { body } = await service.call('GET', '/api/knowledge/audit-records?limit=1')
    const aheadMs = Date.parse((body as { created_at: string }[])[0].created_at) - Date.now()
    disk!.set({})
    assert.ok(Math.abs(aheadMs - STEP_SECONDS * 1_000) < 60_000, `${aheadMs} ms ahead`)
  })
})
