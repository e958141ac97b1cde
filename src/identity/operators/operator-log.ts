import type { Operator } from '../../platform/access/operator.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Queries } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { NO_TENANT } from '../tenants/realm.ts'
import { insertLogRow } from './store.ts'

type Action =
  | 'create'
  | 'update'
  | 'revoke'
  | 'suspend'
  | 'resume'
  | 'plan_removal'
  | 'cancel_removal'
  | 'remove'
  | 'restore'

/** The channel of operators over HTTP, in both audit logs. */
const OPERATOR_SOURCE = 'operator'

/** Returns an operator as the actor of a write, also for the audit log of a tenant. */
export function actorOf({ id }: Operator): Actor {
  return { userId: null, credentialId: id, audit: { source: OPERATOR_SOURCE, clientId: null } }
}

/**
 * Records a change in the audit log of the installation, in the transaction of the change. The log outlives the tenants
 * that it names.
 */
export async function recordOperation(
  tx: Queries,
  actor: Actor,
  action: Action,
  resourceType: 'operator' | 'tenant' | 'secret_key',
  resourceId: string,
): Promise<void> {
  await insertLogRow(tx, {
    tenant_id: NO_TENANT,
    id: newId(),
    at: Date.now(),
    action,
    resource_type: resourceType,
    resource_id: resourceId,
    operator_id: actor.audit.source === OPERATOR_SOURCE ? actor.credentialId : null,
    source: actor.audit.source,
  })
}
