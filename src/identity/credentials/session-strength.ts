import type { TenantSettings } from '../../platform/access/caller.ts'

/** What a person proved when a session began: a password alone, a second factor too, or an account elsewhere. */
export type Strength = 'password' | 'second' | 'provider'

type Requirement = TenantSettings['requireSecondFactor']

/** Whether a session of this strength may do nothing but set up a second factor. */
export function lacksSecondFactor(requirement: Requirement, strength: string | null): boolean {
  if (requirement === 'off' || strength === 'second') return false
  return requirement === 'all' || strength !== 'provider'
}

/** Whether a person who has proved this much is asked for the second factor that they have. */
export function asksForSecondFactor(requirement: Requirement, strength: Strength): boolean {
  return strength === 'password' || (strength === 'provider' && requirement === 'all')
}
