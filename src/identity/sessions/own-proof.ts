import type { Session } from './contract.ts'
import type { KnownDevices } from './known-devices.ts'
import type { PendingLinks } from './pending-links.ts'

/** What follows a sign-in by which a person proved a local account: by password, second factor or passkey. */
export class OwnProof {
  readonly #devices: KnownDevices
  readonly #links: PendingLinks

  constructor(devices: KnownDevices, links: PendingLinks) {
    this.#devices = devices
    this.#links = links
  }

  /**
   * Links an account of the outside provider that waited for this proof, and makes the browser known.
   * @param header the Cookie header of the request
   * @returns Set-Cookie headers of the answer
   */
  async settle(header: string | undefined, secure: boolean, session: Session): Promise<string[]> {
    const account = { tenantId: session.tenant.id, userId: session.user!.id }
    const known = this.#devices.remember(header, secure, account)
    const forgotten = await this.#links.settle(header, secure, session)
    return forgotten === null ? [known] : [known, forgotten]
  }
}
