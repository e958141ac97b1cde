import { test } from 'node:test'
import { allScreens } from './all-screens.ts'
import { Screens } from './screens.ts'
import type { Stage } from './stage.ts'
import { LOOKS } from './visitor.ts'

/**
 * What holds for every state that a page registers. Each is opened in one of two looks in turn; `npm run screenshots`
 * takes them all.
 */
export function screenStories(stage: Stage): void {
  test('every state that pages register is accessible, fits the screen and keeps to the policy', async (t) => {
    const screens = new Screens(stage)
    for (const [i, screen] of (await allScreens()).entries()) {
      const look = LOOKS[i % LOOKS.length]
      const name = `${screen.name}, ${Object.values(look).join(' ')}`
      await t.test(name, async () => {
        const visitor = await screens.open(screen, look)
        await visitor.assertSound(name)
      })
    }
    await screens.close()
  })
}
