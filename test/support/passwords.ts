import { OPERATOR } from '../../src/platform/audit/audit.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { PasswordCost } from '../../src/identity/sessions/password-hash.ts'
import { hashNewPassword, putPassword } from '../../src/identity/sessions/set-password.ts'

/**
 * The least cost that Argon2 allows, for services in the process of a test. Programs hash at the cost of production.
 */
export const CHEAPEST: PasswordCost = { memoryKib: 8, passes: 1, parallelism: 1 }

const hashes = new Map<string, Promise<string>>()

/** Sets a user's password like `setPassword`, but at the cheapest cost, and hashes each password only once. */
export async function givePassword(
  database: Database,
  tenantId: string,
  userId: string,
  password: string,
): Promise<void> {
  const hashing = hashes.get(password) ?? hashNewPassword(password, CHEAPEST)
  hashes.set(password, hashing)
  const hash = await hashing
  await database.write((tx) => putPassword(tx, tenantId, userId, hash, OPERATOR), tenantId)
}
