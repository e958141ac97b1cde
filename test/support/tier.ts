/** Whether this run proves everything at full counts (`npm run test:all`), and not only what the gate does. */
export const isWhole = process.env.TEST_TIER === 'all'

/** The count of this tier, such as runs of a property. */
export function inTier<T>(counts: { readonly gate: T; readonly all: T }): T {
  return isWhole ? counts.all : counts.gate
}
