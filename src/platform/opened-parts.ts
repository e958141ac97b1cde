interface Part {
  close(): unknown
}

/**
 * What a start has opened, in stages. A start that fails half-way and a stop close the same parts: those of the last
 * stage first, those of one stage side by side.
 */
export class OpenedParts {
  #stages: Part[][] = [[]]

  /** @returns the part, which now belongs to the running stage */
  add<T extends Part>(part: T): T {
    this.#stages.at(-1).push(part)
    return part
  }

  /** What is added from now on needs what was added before, and is closed first. */
  beginStage(): void {
    this.#stages.push([])
  }

  /** Closes everything, also after a part that cannot be closed. @throws the first failure */
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
