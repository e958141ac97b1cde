/** A way to try the service, round by round. */
export interface Trial {
  /**
   * Runs a round, and rejects when the service breaks a promise. The seed decides what is tried, not how threads run.
   */
  round(seed: number): Promise<void>
  /** Summary of the rounds so far, for people. */
  readonly figures: string
  end(): Promise<void>
}
