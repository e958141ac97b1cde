/** Tabs of the page; the first is shown when the address names none. */
export const TABS = ['usage', 'quotas', 'settings'] as const
export type TenantTab = (typeof TABS)[number]
