import { answerOf, api } from './client.ts'
import type { DraftOwner } from './drafts.ts'
import { lazyFile } from './lazy-file.ts'
import { forgetPerson } from './personal-storage.ts'
import { isSignedOut } from './queries.ts'
import { tellSignIn } from './signed-in-again.ts'

/** Fetches the module of drafts. It is needed at the sign-out alone, so it is not in the first bundle. */
const loadDrafts = () => lazyFile(() => import('./drafts.ts'))

/**
 * Returns the person of the session, also of one that allows nothing before a second factor; null without a session.
 */
async function ownerOfDrafts(): Promise<DraftOwner | null> {
  try {
    const { user, tenant } = await answerOf(api.GET('/api/session'))
    return user === null ? null : { tenantId: tenant.id, userId: user.id }
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** Counts the texts of the signed-in person that are on this device alone. */
export async function countUnsaved(): Promise<number> {
  const owner = await ownerOfDrafts()
  return owner === null ? 0 : (await loadDrafts()).countDrafts(owner)
}

/**
 * Signs out, here or everywhere, and erases all that this browser has of the person.
 * @returns the address at which the browser ends the session at the outside provider too; null when there is none
 */
export async function endSession(where: 'here' | 'everywhere' = 'here'): Promise<string | null> {
  const owner = await ownerOfDrafts()
  const next = where === 'here' ? await endHere() : await endEverywhere()
  tellSignIn()
  forgetPerson()
  if (owner !== null) await (await loadDrafts()).eraseDrafts(owner)
  return next
}

async function endHere(): Promise<string | null> {
  const answer = await answerOf(api.DELETE('/api/session'))
  return answer?.provider_sign_out ?? null
}

async function endEverywhere(): Promise<null> {
  await answerOf(api.DELETE('/api/session/sessions'))
  return null
}
