import { FairSlots } from './fair-slots.ts'

/**
 * The pages of lists and of hits that are made at once, each up to 8 MiB of rows and as much of JSON again: four of a
 * tenant and 16 of all. Whoever asks for more waits: `FairSlots` as they are, one set for the whole process. A page that is made is counted by `HeldMemory` until it is taken.
 */
export const pageSlots = new FairSlots({ slots: 16, perOwner: 4, waitMs: 30_000 })
