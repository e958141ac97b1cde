/** One way to try the service, round by round. */
export interface Trial {
  /** Rejects when the service does not keep what it promises. The seed decides what is tried, not how threads run. */
  round(seed: number): Promise<void>
  /** What the rounds so far have tried, for people. */
  readonly figures: string
  end(): Promise<void>
}
