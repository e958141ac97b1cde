/**
 * Takes every state that pages of the console register, in light and dark, German and English, wide and narrow, from a
 * service with sample content: npm run screenshots [-- --out FOLDER] [--only NAME] [--look TEXT].
 * `--only` takes the states whose name has the text, `--look` the looks, such as `de-DE-light-1280`.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { allScreens } from '../test/console/all-screens.ts'
import { Screens } from '../test/console/screens.ts'
import { Stage } from '../test/console/stage.ts'
import { root } from './runtime.mjs'
import { readOptions } from './options.ts'

const values = readOptions({
  options: {
    out: { type: 'string', default: join(root, '.tmp/screenshots') },
    only: { type: 'string', default: '' },
    look: { type: 'string', default: '' },
  },
})

const looks = (['de-DE', 'en-GB'] as const)
  .flatMap((locale) => (['light', 'dark'] as const).map((colorScheme) => ({ locale, colorScheme })))
  .flatMap((look) => [1280, 390].map((width) => ({ ...look, width })))
  .filter((look) => Object.values(look).join('-').includes(values.look))

const HEIGHT_MIN = 800
const HEIGHT_MAX = 3_000

const folder = resolve(values.out)
mkdirSync(folder, { recursive: true })
const stage = new Stage()
try {
  await stage.open()
  const screens = new Screens(stage)
  await stage.issue('Website import', await stage.issue('Intranet', null))
  for (const screen of (await allScreens()).filter(({ name }) => name.includes(values.only))) {
    for (const look of looks) {
      const file = `${screen.name}-${Object.values(look).join('-')}.png`
      try {
        const visitor = await screens.open(screen, look)
        await visitor.page.waitForLoadState('networkidle')
        // A window as high as the page: what sticks to an edge of the window would stand in the middle otherwise.
        const height = await visitor.page.evaluate<number>('document.documentElement.scrollHeight')
        await visitor.page.setViewportSize({
          width: look.width,
          height: Math.min(Math.max(height, HEIGHT_MIN), HEIGHT_MAX),
        })
        await visitor.assertSound(file)
        await visitor.page.screenshot({ path: join(folder, file) })
        process.stdout.write(`${file}\n`)
      } catch (error) {
        process.exitCode = 1
        process.stderr.write(`${file}: ${String(error)}\n`)
      }
    }
  }
  await screens.close()
} finally {
  await stage.close()
}
