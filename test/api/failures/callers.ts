import assert from 'node:assert/strict'
import { issueApiKey } from '../../../src/identity/api-keys/rules.ts'
import { openSession } from '../../../src/identity/sessions/session-opener.ts'
import { findUser } from '../../../src/identity/users/rules.ts'
import { ROLE_SCOPES } from '../../../src/platform/access/scopes.ts'
import type { TestService } from '../../support/service.ts'

const HOUR_MS = 3_600_000

/** The headers by which a browser sends a session. */
export interface SessionHeaders extends Readonly<Record<string, string>> {
  readonly cookie: string
  readonly origin: string
}

/** Opens a session of a user, without the sign-in that would count against the address. */
export async function sessionOf(service: TestService, userId: string): Promise<SessionHeaders> {
  const user = await findUser(service.database.queries, service.tenantId, userId)
  const opened = await openSession(service.database, { user: user! }, Date.now(), async () => [])
  assert.ok(opened !== null, 'the user may not sign in')
  return { cookie: `ks_session=${opened.secret}`, origin: service.service.url }
}

/** Makes a key without a user that may do everything, and expires. */
export async function expiringKey({ database, tenantId }: TestService): Promise<string> {
  const expiresAt = Date.now() + HOUR_MS
  const terms = { name: 'Expires', scopes: ROLE_SCOPES.admin, userId: null, expiresAt }
  return (await issueApiKey(database, tenantId, terms)).key
}
