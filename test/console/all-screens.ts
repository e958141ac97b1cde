import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Screen } from './screen.ts'

const PAGES = join(import.meta.dirname, '../../console/src/pages')

/** What every folder of a page registers in its `screens.ts`. */
export async function allScreens(): Promise<readonly Screen[]> {
  const files = readdirSync(PAGES)
    .map((folder) => join(PAGES, folder, 'screens.ts'))
    .filter((file) => existsSync(file))
  const modules = await Promise.all(
    files.map(async (file): Promise<{ screens: readonly Screen[] }> => import(pathToFileURL(file).href)),
  )
  return modules.flatMap(({ screens }) => screens)
}
