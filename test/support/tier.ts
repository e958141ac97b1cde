/** Whether this run proves everything at full counts (`npm run test:all`), rather than only the part of the gate. */
export const isWhole = process.env.TEST_TIER === 'all'

/** Returns the count of this tier, such as runs of a property. */
export function inTier<T>(counts: { readonly gate: T; readonly all: T }): T {
  return isWhole ? counts.all : counts.gate
}
