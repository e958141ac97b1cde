import { test } from 'node:test'
import type { Cookie } from 'playwright-core'
import { allScreens } from './all-screens.ts'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import type { Screen } from './screen.ts'
import { type Look, LOOKS, type Visitor } from './visitor.ts'

/** Sessions for further browsers of the same person: signing in takes as long as the page itself. */
const SESSIONS = new WeakMap<Stage, Map<string, Cookie[]>>()

/** Opens a screen as the person it is for. */
export async function openScreen(stage: Stage, screen: Screen, look: Look): Promise<Visitor> {
  const visitor = await stage.visit(look)
  const path = typeof screen.path === 'string' ? screen.path : screen.path(stage.sample)
  if (screen.as === null) await visitor.goTo(path)
  else if (screen.as === 'operator') await visitor.enter(stage.operatorKey, path)
  else await goSignedIn(stage, visitor, PEOPLE[screen.as], path)
  if (screen.steps !== undefined) await screen.steps(visitor.page)
  await visitor.page
    .locator(screen.ready ?? 'h1')
    .first()
    .waitFor()
  return visitor
}

async function goSignedIn(stage: Stage, visitor: Visitor, email: string, path: string): Promise<void> {
  const sessions = SESSIONS.get(stage) ?? new Map<string, Cookie[]>()
  SESSIONS.set(stage, sessions)
  const session = sessions.get(email)
  if (session !== undefined && (await visitor.goToWith(session, path))) return
  await visitor.signIn(email, PASSWORD, path)
  sessions.set(email, await visitor.cookies())
}

/**
 * What holds for every state that a page registers. Each is opened in one of two looks in turn; `npm run screenshots`
 * takes them all.
 */
export function screenStories(stage: Stage): void {
  test('every state that pages register is accessible, fits the screen and keeps to the policy', async (t) => {
    for (const [i, screen] of (await allScreens()).entries()) {
      const look = LOOKS[i % LOOKS.length]
      const name = `${screen.name}, ${Object.values(look).join(' ')}`
      await t.test(name, async () => {
        const visitor = await openScreen(stage, screen, look)
        await visitor.assertSound(name)
        await visitor.close()
      })
    }
  })
}
