import type { Caller } from '../../../platform/access/caller.ts'
import type { LeftOutView } from '../../../search/left-out-view.ts'
import type { Entry } from '../contract.ts'
import { ENTRY_INDEX } from '../indexing/index-source.ts'

/** Tells owners which of their entries search leaves out, since the search memory of the tenant is full. */
export class LeftOutRules {
  readonly #view: LeftOutView

  constructor(view: LeftOutView) {
    this.#view = view
  }

  /** Tells whether search leaves an entry out that the caller has created; false for entries of others. */
  async isLeftOut({ tenant, userId }: Caller, { id, created_by_user_id: owner }: Entry): Promise<boolean> {
    return userId !== null && owner === userId && (await this.#view.has(tenant.id, ENTRY_INDEX.name, id))
  }
}
