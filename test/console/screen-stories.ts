import { test } from 'node:test'
import { inTier } from '../support/tier.ts'
import { allScreens } from './all-screens.ts'
import type { Screen } from './screen.ts'
import { Screens } from './screens.ts'
import type { Stage } from './stage.ts'
import { type Look, LOOKS } from './visitor.ts'

const changes = ({ steps, onlyOpens }: Screen): boolean => steps !== undefined && onlyOpens !== true

/**
 * Declares the stories that hold for every state that a page registers. The gate opens each in one of two looks in
 * turn, `npm run test:all` in both; `npm run screenshots` takes all eight.
 */
export function screenStories(stage: Stage): void {
  test('every state that pages register is accessible, fits the screen and keeps to the policy', async (t) => {
    const screens = new Screens(stage)
    const dealt = (await allScreens())
      .map((screen, i) => ({ screen, looks: inTier<readonly Look[]>({ gate: [LOOKS[i % LOOKS.length]], all: LOOKS }) }))
      // Screens that change nothing come first, because their page is used again.
      .toSorted((one, other) => Number(changes(one.screen)) - Number(changes(other.screen)))
    for (const { screen, looks } of dealt) {
      for (const look of looks) {
        const name = `${screen.name}, ${Object.values(look).join(' ')}`
        await t.test(name, async () => {
          const visitor = await screens.open(screen, look)
          await visitor.assertSound(name)
        })
      }
    }
    await screens.close()
  })
}
