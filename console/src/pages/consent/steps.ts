import type { InteractionStep } from '../../api/interaction.ts'

/** The steps of an interaction, given to each of its pages. */
export interface Steps {
  readonly take: (step: InteractionStep) => void
  /** Loads the request again, after a sign-in. */
  readonly again: () => void
  readonly isBusy: boolean
}
