/** States of a tenant, from working to gone. */
export const TENANT_STATES = ['active', 'suspended', 'removal_planned', 'removing'] as const
export type TenantState = (typeof TENANT_STATES)[number]
