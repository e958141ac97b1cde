/** The exit code of `scripts/test.ts` when the tests passed, but a statement breaks a rule of distribution by tenant. */
export const BROKEN_DISTRIBUTION = 3
