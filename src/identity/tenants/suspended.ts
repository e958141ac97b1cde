import { Fault } from '../../platform/faults.ts'

/** Makes the fault of every request of a suspended tenant, also of a sign-in with the right password. */
export function tenantSuspended(loc: readonly string[] = ['header', 'authorization']): Fault {
  const msg = 'The tenant is suspended. Nothing is lost; whoever runs the service can resume it'
  return new Fault('forbidden', [{ loc, msg, type: 'tenant_suspended' }])
}
