import { OPERATOR } from '../../src/platform/audit/audit.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { hashNewPassword, putPassword } from '../../src/identity/sessions/set-password.ts'

const hashes = new Map<string, Promise<string>>()

/** Sets a user's password like `setPassword`, but hashes each password only once, because hashing takes 40 ms. */
export async function givePassword(
  database: Database,
  tenantId: string,
  userId: string,
  password: string,
): Promise<void> {
  const hashing = hashes.get(password) ?? hashNewPassword(password)
  hashes.set(password, hashing)
  const hash = await hashing
  await database.write((tx) => putPassword(tx, tenantId, userId, hash, OPERATOR), tenantId)
}
