import type { Database } from '../../platform/database/database.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Session } from './contract.ts'
import { linkAccount, linkOf } from './identity-rules.ts'
import { lockedActiveUser } from './lock-rules.ts'
import type { PendingLink } from './pending-link.ts'
import { SealedCookie } from './sealed-cookie.ts'

/** Time in which the person has to prove the local account. */
const SECONDS = 600

/**
 * Links an account of the outside provider to the local account with its address, once the same browser has signed in
 * to the local account by its own proof. So a person who gets the address at the provider later, such as a successor,
 * does not get the account of the predecessor.
 */
export class PendingLinks {
  readonly #database: Database
  readonly #cookie: SealedCookie<PendingLink>
  readonly #now: () => number

  constructor(database: Database, secrets: SecretBox, now: () => number = Date.now) {
    this.#database = database
    this.#cookie = new SealedCookie(secrets, now, { name: 'ks_link', purpose: 'link to a provider', seconds: SECONDS })
    this.#now = now
  }

  /** Returns the Set-Cookie header that stores a link that waits for its proof. */
  keep(link: PendingLink, secure: boolean): string {
    return this.#cookie.write(link, secure)
  }

  /**
   * Links the account that waits in the browser, if it waits for the user who has just signed in.
   * @returns the Set-Cookie header that forgets the link; null when none waits
   */
  async settle(header: string | undefined, secure: boolean, { user, tenant }: Session): Promise<string | null> {
    const link = this.#cookie.read(header, secure)
    if (link === null) return null
    if (link.userId === user?.id && link.tenantId === tenant.id) await this.#link(link)
    return this.#cookie.remove(secure)
  }

  async #link(link: PendingLink): Promise<void> {
    const { tenantId, userId } = link
    await this.#database.write(async (tx) => {
      const user = await lockedActiveUser(tx, tenantId, userId)
      // Meanwhile another browser may have linked the account.
      if (user !== null && (await linkOf(tx, tenantId, link)) === null) await linkAccount(tx, user, link, this.#now())
    }, tenantId)
  }
}
