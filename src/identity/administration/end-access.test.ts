import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../platform/database/database.ts'
import { createUser } from '../users/rules.ts'
import { changeUser, revokeApiKey, revokeWithIssued } from './end-access.ts'

test('a change that ends access waits among the writes of its own tenant', async () => {
  const owners: (string | undefined)[] = []
  const database = {
    write: async (_work: unknown, tenantId?: string) => {
      owners.push(tenantId)
      return 0
    },
  } as unknown as Database
  await revokeApiKey(database, 'acme', 'key')
  await revokeWithIssued(database, 'acme', 'key')
  await changeUser(database, 'acme', 'user', { disabled: true })
  await createUser(database, 'acme', { email: 'a@b', name: 'A', role: 'reader' })
  assert.deepEqual(owners, ['acme', 'acme', 'acme', 'acme'])
})
