import { dirname, join, normalize, relative } from 'node:path'

/** A module of `src/` with its imports; the path is relative to the project's root. */
export interface Module {
  readonly path: string
  readonly imports: readonly Import[]
  /** The modules whose exports, types included, the module exports again; written like `from`. */
  readonly passesOn: readonly string[]
  /** Whether the module builds SQL statements, with Kysely or as text. */
  readonly hasSql: boolean
}

export interface Import {
  /** The imported module as written: a relative path or the name of a package. */
  readonly from: string
  /** Whether the import disappears when the program runs. */
  readonly isType: boolean
}

/**
 * The floors of the program from the top down: the folders of `src/`. An import stays on its floor or goes down.
 * `docs/architecture.md` says what belongs where. `main.ts`, `server.ts` and `app.ts` are above all floors.
 */
const FLOORS = [
  'channels',
  'composition',
  'shop',
  'knowledge',
  'insights',
  'search',
  'embedding',
  'identity',
  'config.ts',
  'config',
  'platform',
] as const

/**
 * The rooms within a folder from the top down; they follow the same rule as floors. `docs/architecture.md` says what
 * belongs in which. Files beside the rooms are in the room called `.`.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/search': [
    'engines',
    'sections',
    'telemetry',
    'passing',
    'pgvector',
    'memory',
    'suggest',
    'hits',
    'excerpts',
    'request',
    'ranking',
    'indexing',
    '.',
    'analysis',
  ],
  'src/search/memory': ['host', 'index', 'query', 'columns'],
}

/** Imports that may go up, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/channels/cli/serve.ts src/server.ts': 'the command that serves starts the server',
}

/** Returns every import that breaks a rule of the layers, in words. */
export function faultsOf(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path, imports, passesOn, hasSql }) => [
    ...imports.flatMap((each) => {
      const target = targetOf(path, each.from)
      return target === null ? faultsOfPackage(path, each.from) : faultsOfImport(path, target)
    }),
    ...passesOn.flatMap((from) => faultsOfExport(path, targetOf(path, from))),
    ...faultsOfPlace(path),
    ...(hasSql && mayHoldNoSql(path) ? [`${path} puts SQL together: that belongs in a store`] : []),
  ])
}

function faultsOfImport(path: string, target: string): string[] {
  if (!target.startsWith('src/')) return [`${path} imports ${target}, which is not part of the program`]
  const faults: string[] = []
  if (floorOf(target) < floorOf(path) && !(`${path} ${target}` in EXCEPTIONS))
    faults.push(`${path} imports ${target}, which is above it`)
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const [from, to] = [roomOf(folder, rooms, path), roomOf(folder, rooms, target)]
    if (from !== null && to !== null && to < from) faults.push(`${path} imports ${target}, which is in a room above it`)
  }
  if (isStore(target) && domainOf(target) !== domainOf(path)) {
    faults.push(`${path} takes the store of another domain, ${target}: ask its rules`)
  }
  if (isRoutes(path) && (isStore(target) || target.startsWith('src/platform/database/')))
    faults.push(`${path} imports ${target}: routes ask the rules`)
  return faults
}

/** Returns the faults of where a module lies: each folder has a floor, and each folder in one with rooms is a room. */
function faultsOfPlace(path: string): string[] {
  const isOnNoFloor = floorOf(path) < 0 && dirname(path) !== 'src'
  const folders = Object.entries(ROOMS).filter(([folder, rooms]) => roomOf(folder, rooms, path) === rooms.length)
  return [
    ...(isOnNoFloor ? [`${path} is on no floor`] : []),
    ...folders.map(([folder]) => `${path} is in no room of ${folder}`),
  ]
}

/**
 * Returns the faults of an export. A store that another module exports again would be open to other domains, which may
 * only call rules.
 */
function faultsOfExport(path: string, target: string | null): string[] {
  if (target === null || !isStore(target) || isStore(path)) return []
  return [`${path} passes on ${target}: write a rule that says what its callers want`]
}

function faultsOfPackage(path: string, name: string): string[] {
  return name === 'kysely' && mayHoldNoSql(path) ? [`${path} imports ${name}: SQL belongs in a store`] : []
}

/**
 * Returns, for each rules module that knows HTTP, directly or through imports, the shortest path of imports to HTTP.
 */
export function waysToHttp(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return modules.flatMap(({ path: start }) => {
    if (!isRules(start)) return []
    const ways = new Map([[start, start]])
    const paths: string[] = []
    // A map that grows during iteration is the queue of a breadth-first search.
    for (const [path, way] of ways) {
      for (const { from } of byPath.get(path)?.imports ?? []) {
        const target = targetOf(path, from) ?? from
        if (ways.has(target)) continue
        if (isHttp(target)) paths.push(`${way} → ${target}`)
        else ways.set(target, `${way} → ${target}`)
      }
    }
    return paths
  })
}

function isHttp(target: string): boolean {
  return target.startsWith('src/platform/http/') || target === 'fastify' || target === 'node:http'
}

function isRules(path: string): boolean {
  return path.endsWith('rules.ts')
}

function isRoutes(path: string): boolean {
  return path.endsWith('routes.ts')
}

/** Tells whether a module may hold no SQL. SQL belongs in stores, and in the platform's tools for writing it. */
function mayHoldNoSql(path: string): boolean {
  return !isStore(path) && !path.startsWith('src/platform/database/')
}

function isStore(path: string): boolean {
  return /(?:^|[/-])store\.ts$/.test(path)
}

/**
 * Returns the cycles of domains that need each other at run time, as paths; empty when there are none.
 * @param domain of a file, by its path
 */
export function cyclesOf(modules: readonly Module[], domain: (path: string) => string = domainOf): string[] {
  const needs = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    for (const { from, isType } of imports) {
      const target = targetOf(path, from)
      if (target === null || isType || `${path} ${target}` in EXCEPTIONS) continue
      const [one, other] = [domain(path), domain(target)]
      if (one === other) continue
      if (!needs.has(one)) needs.set(one, new Set())
      needs.get(one)!.add(other)
    }
  }
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (one: string, way: readonly string[]): void => {
    const at = way.indexOf(one)
    if (at >= 0) cycles.push([...way.slice(at), one].join(' → '))
    if (at >= 0 || done.has(one)) return
    for (const next of needs.get(one) ?? []) visit(next, [...way, one])
    done.add(one)
  }
  for (const one of needs.keys()) visit(one, [])
  return cycles
}

/** Returns cycles of files that import each other, also types; empty when there are none. */
export function fileCyclesOf(modules: readonly Module[]): string[] {
  return cyclesOf(withTypes(modules), (path) => path)
}

/** Returns modules whose imports of types count like those of values. */
export function withTypes(modules: readonly Module[]): Module[] {
  return modules.map((module) => ({ ...module, imports: module.imports.map((each) => ({ ...each, isType: false })) }))
}

/**
 * Returns the imports of values between the folders of `src/` as lines of a Mermaid graph, in the order of the floors.
 */
export function folderArrows(modules: readonly Module[]): string[] {
  const arrows = new Set<string>()
  for (const { path, imports } of modules) {
    for (const { from, isType } of imports) {
      const target = targetOf(path, from)
      if (target === null || isType || `${path} ${target}` in EXCEPTIONS) continue
      const [one, other] = [topFolderOf(path), topFolderOf(target)]
      if (one !== other) arrows.add(`${one} --> ${other}`)
    }
  }
  const names = ['start', ...new Set(FLOORS.map((floor) => floor.replace('.ts', '')))]
  const rank = (arrow: string): number => {
    const [one, other] = arrow.split(' --> ')
    return names.indexOf(one) * names.length + names.indexOf(other)
  }
  return [...arrows].sort((one, other) => rank(one) - rank(other))
}

/**
 * Returns the folder under `src/`, without the ending of `config.ts`; `start` for the modules that start the program.
 */
function topFolderOf(path: string): string {
  const [folder] = relative('src', path).split('/')
  return floorOf(path) < 0 ? 'start' : folder.replace('.ts', '')
}

/** Returns the path of an imported file, relative to the project's root; null for a package. */
export function targetOf(path: string, from: string): string | null {
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : null
}

function floorOf(path: string): number {
  return FLOORS.indexOf(relative('src', path).split('/')[0] as (typeof FLOORS)[number])
}

/**
 * Returns the place of a file among the rooms of a folder, 0 for the top; null outside of the folder. A file in a room
 * that is not listed is below all others, so a new room must be listed.
 */
export function roomOf(folder: string, rooms: readonly string[], path: string): number | null {
  if (!path.startsWith(`${folder}/`)) return null
  const [room, ...rest] = relative(folder, path).split('/')
  const floor = rooms.indexOf(rest.length === 0 ? '.' : room)
  return floor < 0 ? rooms.length : floor
}

/** Returns the domain of a path: two levels of folders, or one for search and embedding. */
function domainOf(path: string): string {
  const [folder, ...rest] = relative('src', path).split('/')
  return rest.length < 2 || folder === 'search' || folder === 'embedding' ? folder : `${folder}/${rest[0]}`
}
