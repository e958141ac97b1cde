import { test, type TestContext } from 'node:test'

/**
 * How often stories are told: `often` is in `stories.test.ts`, which the gate runs, at least one for each page and each
 * way of writing; `rarely` is in the other files, which `npm run test:all` runs too.
 */
export type Telling = 'often' | 'rarely'

type Tell = (name: string, story: (t: TestContext) => Promise<void>) => void

/** Declares those stories of a file that are told now, each as the test that it is. */
export function storyteller(telling: Telling): Readonly<Record<Telling, Tell>> {
  const now: Tell = (name, story) => void test(name, story)
  const later: Tell = () => {}
  return telling === 'often' ? { often: now, rarely: later } : { often: later, rarely: now }
}
