import type { ResolveOperator } from '../../platform/access/operator.ts'
import { type Actor, OPERATOR } from '../../platform/audit/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { OperatorRow } from '../../platform/database/tables.ts'
import { invalid, notFound, unauthorized } from '../../platform/faults.ts'
import { newId } from '../../platform/ids.ts'
import { hashSecret } from '../../platform/random-secret.ts'
import { hintOf, KEY_NAME_MAX } from '../api-keys/api-key.ts'
import { NO_TENANT } from '../tenants/realm.ts'
import { generateOperatorKey, isOperatorKey } from './operator-key.ts'
import { recordOperation } from './operator-log.ts'
import * as store from './store.ts'

/** Time between two writes of a credential's last use, since a write for each request would cost too much. */
const LAST_USED_MS = 60_000

/**
 * Issues an operator credential.
 * @param expiresAt milliseconds since 1970; null for never
 * @returns the credential in clear, which is stored nowhere, and its id
 * @throws Fault invalid for the name
 */
export async function issueOperator(
  database: Database,
  { name, expiresAt }: { readonly name: string; readonly expiresAt: number | null },
  actor: Actor = OPERATOR,
): Promise<{ id: string; key: string }> {
  if (name.length < 1 || Array.from(name).length > KEY_NAME_MAX)
    throw invalid(['name'], 'value_error', `The name of an operator must have 1 to ${KEY_NAME_MAX} characters`)
  const key = generateOperatorKey()
  const id = newId()
  await database.write(async (tx) => {
    await store.insertOperator(tx, {
      tenant_id: NO_TENANT,
      id,
      name,
      hash: hashSecret(key),
      hint: hintOf(key),
      created_at: Date.now(),
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    await recordOperation(tx, actor, 'create', 'operator', id)
  })
  return { id, key }
}

/** Returns all operator credentials, oldest first, also revoked and expired ones. */
export function everyOperator(db: Queries): Promise<OperatorRow[]> {
  return store.listOperators(db)
}

/**
 * Revokes an operator credential, from its next request on.
 * @returns false when it was revoked before
 * @throws Fault not_found
 */
export async function revokeOperator(database: Database, id: string, actor: Actor = OPERATOR): Promise<boolean> {
  return database.write(async (tx) => {
    if ((await store.findOperator(tx, id)) === null) throw notFound(['operator'], `Operator ${id}`)
    if (!(await store.revokeOperator(tx, id, Date.now()))) return false
    await recordOperation(tx, actor, 'revoke', 'operator', id)
    return true
  })
}

/**
 * Makes the function that finds the operator of a request. It reads the database each time, so a revoked credential is
 * refused on its next request. It knows no credentials of tenants.
 */
export function operatorResolver(database: Database, now: () => number = Date.now): ResolveOperator {
  return async (authorization) => {
    const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
    const row = isOperatorKey(key) ? await store.findOperatorByHash(database.queries, hashSecret(key)) : null
    if (row === null) throw credentialFault('This is not the credential of an operator')
    const at = now()
    if (row.revoked_at !== null) throw credentialFault('The operator credential was revoked')
    if (row.expires_at !== null && row.expires_at <= at) throw credentialFault('The operator credential has expired')
    if (at - (row.last_used_at ?? 0) >= LAST_USED_MS) await database.write((tx) => store.setLastUsed(tx, row.id, at))
    return { id: row.id, name: row.name }
  }
}

const credentialFault = (why: string) =>
  unauthorized(['header', 'authorization'], `${why}. Send one: Authorization: Bearer op_…`)
