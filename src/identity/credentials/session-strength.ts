import type { TenantSettings } from '../../platform/access/caller.ts'

/** Proof that a session began with: a password alone, a second factor too, or an account at an outside provider. */
export type Strength = 'password' | 'second' | 'provider'

type Requirement = TenantSettings['requireSecondFactor']

/**
 * Tells whether a session of this strength may do nothing but set up a second factor.
 * @param strength null when it is unknown, which counts as a password alone
 */
export function lacksSecondFactor(requirement: Requirement, strength: string | null): boolean {
  if (requirement === 'off' || strength === 'second') return false
  return requirement === 'all' || strength !== 'provider'
}

/** Tells whether a sign-in with this proof goes on to ask for the second factor of a person who has one. */
export function asksForSecondFactor(requirement: Requirement, strength: Strength): boolean {
  return strength === 'password' || (strength === 'provider' && requirement === 'all')
}
