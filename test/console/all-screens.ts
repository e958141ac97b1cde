import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Screen } from './screen.ts'

const FOLDER = join(import.meta.dirname, 'screens')
/** File of the parts that pages share, which a change breaks most easily. */
const SHARED_PARTS = 'parts.ts'

/**
 * Returns the screens that the file of every page registers in `screens`.
 * @param mostOfEach most screens of one page: its first ones; all are taken of the parts that pages share
 */
export async function allScreens(mostOfEach = Infinity): Promise<readonly Screen[]> {
  const modules = await Promise.all(
    readdirSync(FOLDER).map(async (file): Promise<readonly Screen[]> => {
      const { screens } = (await import(pathToFileURL(join(FOLDER, file)).href)) as { screens: readonly Screen[] }
      return file === SHARED_PARTS ? screens : screens.slice(0, mostOfEach)
    }),
  )
  return modules.flat()
}
