import type { TenantSettings } from '../../platform/access/caller.ts'
import { intersectScopes, type Scope, SCOPES } from '../../platform/access/scopes.ts'
import { scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { TenantRow, UserRow } from '../../platform/database/tables.ts'
import { lacksSecondFactor, type Strength } from '../credentials/session-strength.ts'
import { parseSettings } from '../tenants/settings.ts'
import type { PageLanguage } from '../users/contract.ts'
import type { Session } from './contract.ts'

/** Facts of a session beyond its person, tenant and scopes. */
export interface SessionState {
  /** Demand of the tenant before the session may do anything else; null without one. */
  readonly secondFactor: Session['second_factor'] | null
  /** When an administrator ended the person's second factors, in milliseconds since 1970; null when that is told. */
  readonly factorsResetAt: number | null
}

/**
 * Returns the session of a person who has just signed in.
 * @param factorsResetAt as in `SessionState`
 * @param strength of the person's proof
 */
export function sessionOf(
  { user }: { readonly user: UserRow },
  { name, settings }: Pick<TenantRow, 'name' | 'settings'>,
  factorsResetAt: number | null,
  strength: Strength = 'second',
): Session {
  const scopes = scopesOfUser(user)
  const parsed = parseSettings(settings)
  // A person who has a factor would have proved it, so the person has none.
  const secondFactor = lacksSecondFactor(parsed.requireSecondFactor, strength) ? 'set_up' : null
  const tenant = sessionTenant(user.tenant_id, name, parsed)
  return sessionFrom(user, tenant, intersectScopes(scopes, scopes), { secondFactor, factorsResetAt })
}

/** Returns what a session tells of its tenant. */
export function sessionTenant(
  id: string,
  name: string,
  { language, foreignPictures }: TenantSettings,
): Session['tenant'] {
  return { id, name, language, foreign_pictures: foreignPictures }
}

/** Returns the answer about a credential: its user, tenant, scopes and state. */
export function sessionFrom(
  user: UserRow | null,
  tenant: Session['tenant'],
  scopes: ReadonlySet<Scope>,
  { secondFactor, factorsResetAt }: SessionState,
): Session {
  return {
    user: user === null ? null : userOf(user),
    tenant,
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    ...(secondFactor === null ? {} : { second_factor: secondFactor }),
    ...(factorsResetAt === null ? {} : { factors_reset_at: new Date(factorsResetAt).toISOString() }),
  }
}

function userOf({ id, email, name, role, language }: UserRow): Session['user'] {
  return { id, email, name, role, ...(language === null ? {} : { language: language as PageLanguage }) }
}
