import { test } from 'node:test'
import { inTier } from '../support/tier.ts'
import { allScreens } from './all-screens.ts'
import type { Screen } from './screen.ts'
import { Screens } from './screens.ts'
import type { Stage } from './stage.ts'
import { type Look, LOOKS } from './visitor.ts'

const changes = ({ steps, onlyOpens }: Screen): boolean => steps !== undefined && onlyOpens !== true

/** Most states of one page that the gate opens. A page registers the states that people see most often first. */
const STATES_OF_A_PAGE = inTier({ gate: 4, all: Infinity })

/**
 * Declares the stories that hold for the states that pages register. The gate opens the first ones of each page, each in
 * one of two looks in turn, `npm run test:all` all of them in both; `npm run screenshots` takes all eight.
 */
export function screenStories(stage: Stage): void {
  test('states that pages register are accessible, fit the screen and keep to the policy', async (t) => {
    const screens = new Screens(stage)
    const dealt = (await allScreens(STATES_OF_A_PAGE))
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
