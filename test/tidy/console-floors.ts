import { cyclesOf, type Module, roomOf, targetOf, withTypes } from './floors.ts'

/**
 * The floors of the console from the top down, and the rooms of what its pages share. An import stays on its floor or
 * goes down, also one of types. `docs/maintainers/console.md` says what belongs where.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'console/src': ['.', 'pages', 'router', 'frame', 'parts', 'i18n', 'api', 'markdown', 'jsx'],
  'console/src/parts': ['session', 'chart', 'editing', 'tables', 'fields', 'text', 'feedback', 'layout'],
}

/** Returns every import of the console that goes up, and every module without a floor or room, in words. */
export function consoleFaultsOf(modules: readonly Pick<Module, 'path' | 'imports'>[]): string[] {
  return Object.entries(FLOORS).flatMap(([folder, names]) =>
    modules.flatMap(({ path, imports }) => {
      const floor = roomOf(folder, names, path)
      if (floor === null) return []
      if (floor === names.length) return [`${path} is in no room of ${folder}`]
      return imports.flatMap(({ from }) => {
        const target = targetOf(path, from)
        const other = target === null ? null : roomOf(folder, names, target)
        return other !== null && other < floor ? [`${path} imports ${target}, which is above it`] : []
      })
    }),
  )
}

/** Returns cycles of pages that import each other, also types; empty when there are none. */
export function pageCyclesOf(modules: readonly Module[]): string[] {
  const pages = modules.filter(({ path }) => path.startsWith('console/src/pages/'))
  return cyclesOf(withTypes(pages), (path) => path.split('/').slice(0, 4).join('/'))
}
