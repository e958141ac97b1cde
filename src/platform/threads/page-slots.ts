import { FairSlots } from './fair-slots.ts'

/**
 * Slots for making pages of lists and of hits, 16 in the process and four per tenant. A page takes up to 8 MiB of rows
 * and as much of JSON. `HeldMemory` counts a page from when it is made until the client has read it.
 */
export const pageSlots = new FairSlots({ slots: 16, perOwner: 4, waitMs: 30_000 })
