import { randomSource } from '../../bench/support/random.ts'

/** Seed of random choices: the number that a failure named, or a new one. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff)
if (!Number.isInteger(SEED)) throw new Error('TEST_SEED is no whole number')

/**
 * Runs work whose choices are random.
 * @param turn tells runs of one process apart
 * @throws Error that names the seed, with which `TEST_SEED` makes the same choices
 */
export async function byChance(work: (random: () => number) => Promise<void>, turn = 0): Promise<void> {
  try {
    await work(randomSource(SEED + turn))
  } catch (error) {
    throw new Error(`failed with TEST_SEED=${SEED}: ${String(error)}`, { cause: error })
  }
}
