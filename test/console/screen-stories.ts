import { test } from 'node:test'
import { allScreens } from './all-screens.ts'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import type { Screen } from './screen.ts'
import { type Look, LOOKS, type Visitor } from './visitor.ts'

/** Opens a screen as the person it is for. */
export async function openScreen(stage: Stage, screen: Screen, look: Look): Promise<Visitor> {
  const visitor = await stage.visit(look)
  const path = typeof screen.path === 'string' ? screen.path : screen.path(stage.sample)
  if (screen.as === null) await visitor.goTo(path)
  else if (screen.as === 'operator') await visitor.enter(stage.operatorKey, path)
  else await visitor.signIn(PEOPLE[screen.as], PASSWORD, path)
  if (screen.steps !== undefined) await screen.steps(visitor.page)
  await visitor.page
    .locator(screen.ready ?? 'h1')
    .first()
    .waitFor()
  return visitor
}

/** What holds for every state that a page registers. */
export function screenStories(stage: Stage): void {
  test(
    'every state that pages register is accessible, fits the screen and keeps to the policy',
    { concurrency: true },
    async (t) => {
      const inLook = (screen: Screen, look: Look): Promise<void> => {
        const name = `${screen.name}, ${Object.values(look).join(' ')}`
        return t.test(name, async () => {
          const visitor = await openScreen(stage, screen, look)
          await visitor.assertSound(name)
          await visitor.close()
        })
      }
      // A browser mostly waits, so the looks of a screen are opened together.
      for (const screen of await allScreens()) await Promise.all(LOOKS.map((look) => inLook(screen, look)))
    },
  )
}
