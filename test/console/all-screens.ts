import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Screen } from './screen.ts'

const FOLDER = join(import.meta.dirname, 'screens')

/**
 * Returns the screens that the file of every page registers in `screens`.
 * @param mostOfEach most screens of one file: its first ones
 */
export async function allScreens(mostOfEach = Infinity): Promise<readonly Screen[]> {
  const modules = await Promise.all(
    readdirSync(FOLDER).map(
      async (file): Promise<{ screens: readonly Screen[] }> => import(pathToFileURL(join(FOLDER, file)).href),
    ),
  )
  return modules.flatMap(({ screens }) => screens.slice(0, mostOfEach))
}
