/** Milliseconds in which writes are gathered before a thread is told of them. */
const GATHER_MS = 10

/** Gathers the tenants of which something was written, so that a thread is told of many writes at once. */
export class WrittenTenants {
  readonly #tell: (tenantIds: readonly string[]) => void
  readonly #tenantIds = new Set<string>()

  /** @param tell called with the gathered tenants, a moment after the first of them was noted */
  constructor(tell: (tenantIds: readonly string[]) => void) {
    this.#tell = tell
  }

  note(tenantId: string): void {
    if (this.#tenantIds.size === 0) setTimeout(() => this.#flush(), GATHER_MS).unref()
    this.#tenantIds.add(tenantId)
  }

  #flush(): void {
    const tenantIds = [...this.#tenantIds]
    this.#tenantIds.clear()
    this.#tell(tenantIds)
  }
}
