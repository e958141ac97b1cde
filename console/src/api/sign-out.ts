import { answerOf, api } from './client.ts'
import type { DraftOwner } from './drafts.ts'
import { lazyFile } from './lazy-file.ts'
import { forgetPerson } from './personal-storage.ts'
import { isSignedOut } from './queries.ts'
import { tellSignIn } from './signed-in-again.ts'

/** Fetched at the sign-out: nobody needs it before. */
const loadDrafts = () => lazyFile(() => import('./drafts.ts'))

/** Whoever has the session, also when it allows nothing before a second factor; null when nobody has. */
async function ownerOfDrafts(): Promise<DraftOwner | null> {
  try {
    const { user, tenant } = await answerOf(api.GET('/api/session'))
    return user === null ? null : { tenantId: tenant.id, userId: user.id }
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** How many texts of the person who is signed in are on this device alone. */
export async function countUnsaved(): Promise<number> {
  const owner = await ownerOfDrafts()
  return owner === null ? 0 : (await loadDrafts()).countDrafts(owner)
}

/** Signs out, here or everywhere, and erases what this browser keeps of the person. */
export async function endSession(where: 'here' | 'everywhere' = 'here'): Promise<void> {
  const owner = await ownerOfDrafts()
  await answerOf(where === 'here' ? api.DELETE('/api/session') : api.DELETE('/api/session/sessions'))
  tellSignIn()
  forgetPerson()
  if (owner !== null) await (await loadDrafts()).eraseDrafts(owner)
}
