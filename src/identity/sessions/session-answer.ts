import { intersectScopes, type Scope, SCOPES } from '../../platform/access/scopes.ts'
import { scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { TenantRow, UserRow } from '../../platform/database/tables.ts'
import { lacksSecondFactor, type Strength } from '../credentials/session-strength.ts'
import { parseSettings } from '../tenants/settings.ts'
import type { PageLanguage } from '../users/contract.ts'
import type { Session } from './contract.ts'

/** What a session says beyond its person, tenant and scopes. */
export interface SessionState {
  readonly secondFactor: Session['second_factor'] | null
  /** In milliseconds since 1970. */
  readonly factorsResetAt: number | null
}

/**
 * The session of a person who has just signed in.
 * @param factorsResetAt when an administrator ended the person's second factors; null when that is told
 * @param strength what the person proved
 */
export function sessionOf(
  { user }: { readonly user: UserRow },
  { name, settings }: Pick<TenantRow, 'name' | 'settings'>,
  factorsResetAt: number | null,
  strength: Strength = 'second',
): Session {
  const scopes = scopesOfUser(user)
  const { language, requireSecondFactor } = parseSettings(settings)
  // Whoever has a factor would have been asked for it.
  const secondFactor = lacksSecondFactor(requireSecondFactor, strength) ? 'set_up' : null
  const tenant = { id: user.tenant_id, name, language }
  return sessionFrom(user, tenant, intersectScopes(scopes, scopes), { secondFactor, factorsResetAt })
}

/** The answer to who is asking. */
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
