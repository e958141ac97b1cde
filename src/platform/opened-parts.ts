interface Part {
  close(): unknown
}

/**
 * Parts that a start of the service has opened, in stages. A start that fails half-way and a stop close the same parts:
 * the last stage first, and the parts of one stage side by side.
 */
export class OpenedParts {
  #stages: Part[][] = [[]]

  /** Adds a part to the current stage. @returns the part */
  add<T extends Part>(part: T): T {
    this.#stages.at(-1).push(part)
    return part
  }

  /** Begins a stage. Parts that are added from now on need the earlier ones, so they are closed first. */
  beginStage(): void {
    this.#stages.push([])
  }

  /** Closes all parts, even when one of them cannot be closed. @throws the first failure */
  async close(): Promise<void> {
    const stages = this.#stages.toReversed()
    this.#stages = [[]]
    const failures: unknown[] = []
    for (const stage of stages) {
      const outcomes = await Promise.allSettled(stage.map(async (part) => part.close()))
      for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason)
    }
    if (failures.length > 0) throw failures[0]
  }
}
