import { dirname, join, normalize, relative } from 'node:path'

/** A module of `src/` with its imports; the path is relative to the project's root. */
export interface Module {
  readonly path: string
  readonly imports: readonly Import[]
  /** The modules whose exports it exports again as they are, types too; written like `from`. */
  readonly passesOn: readonly string[]
  /** Whether it builds SQL statements, with Kysely or as text. */
  readonly hasSql: boolean
}

export interface Import {
  /** As written: a relative path or the name of a package. */
  readonly from: string
  /** Whether the import disappears when the program runs. */
  readonly isType: boolean
}

/**
 * The floors of the house from the top down. An import stays on its floor or goes down. `docs/architecture.md` says
 * what belongs where. `main.ts`, `server.ts` and `app.ts` are above all floors.
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
 * The rooms of folders that are floors in themselves, from the top down, like those of the house. `docs/architecture.md`
 * says what belongs in which. Files beside the rooms are on the floor called `.`.
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

/** Every import that breaks a rule of the house, in words. */
export function faultsOf(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path, imports, passesOn, hasSql }) => [
    ...imports.flatMap((each) => {
      const target = targetOf(path, each.from)
      return target === null ? faultsOfPackage(path, each.from) : faultsOfImport(path, target)
    }),
    ...passesOn.flatMap((from) => faultsOfExport(path, targetOf(path, from))),
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

/** A store that another module passes on would be open to other domains, which may only ask rules. */
function faultsOfExport(path: string, target: string | null): string[] {
  if (target === null || !isStore(target) || isStore(path)) return []
  return [`${path} passes on ${target}: write a rule that says what its callers want`]
}

function faultsOfPackage(path: string, name: string): string[] {
  return name === 'kysely' && mayHoldNoSql(path) ? [`${path} imports ${name}: SQL belongs in a store`] : []
}

/** For each rules module that knows HTTP, directly or through imports, the shortest path of imports to HTTP. */
export function waysToHttp(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return modules.flatMap(({ path: start }) => {
    if (!isRules(start)) return []
    const ways = new Map([[start, start]])
    const found: string[] = []
    // A map that grows during iteration is the queue of a breadth-first search.
    for (const [path, way] of ways) {
      for (const { from } of byPath.get(path)?.imports ?? []) {
        const target = targetOf(path, from) ?? from
        if (ways.has(target)) continue
        if (isHttp(target)) found.push(`${way} → ${target}`)
        else ways.set(target, `${way} → ${target}`)
      }
    }
    return found
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

/** SQL is in stores, and in what the platform gives them to write it with. */
function mayHoldNoSql(path: string): boolean {
  return !isStore(path) && !path.startsWith('src/platform/database/')
}

function isStore(path: string): boolean {
  return /(?:^|[/-])store\.ts$/.test(path)
}

/** Cycles of domains that need each other at run time, as paths; empty when there are none. */
export function circlesOf(modules: readonly Module[]): string[] {
  const needs = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    for (const { from, isType } of imports) {
      const target = targetOf(path, from)
      if (target === null || isType || `${path} ${target}` in EXCEPTIONS) continue
      const [one, other] = [domainOf(path), domainOf(target)]
      if (one === other) continue
      if (!needs.has(one)) needs.set(one, new Set())
      needs.get(one)!.add(other)
    }
  }
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (domain: string, way: readonly string[]): void => {
    const at = way.indexOf(domain)
    if (at >= 0) circles.push([...way.slice(at), domain].join(' → '))
    if (at >= 0 || done.has(domain)) return
    for (const next of needs.get(domain) ?? []) visit(next, [...way, domain])
    done.add(domain)
  }
  for (const domain of needs.keys()) visit(domain, [])
  return circles
}

/** The imports of values between wings as lines of a Mermaid graph, in the order of the floors. */
export function wingArrows(modules: readonly Module[]): string[] {
  const arrows = new Set<string>()
  for (const { path, imports } of modules) {
    for (const { from, isType } of imports) {
      const target = targetOf(path, from)
      if (target === null || isType || `${path} ${target}` in EXCEPTIONS) continue
      const [one, other] = [wingOf(path), wingOf(target)]
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

/** The folder under `src/`, without the ending of `config.ts`; `start` for the modules that start the program. */
function wingOf(path: string): string {
  const [wing] = relative('src', path).split('/')
  return floorOf(path) < 0 ? 'start' : wing.replace('.ts', '')
}

/** The path of an imported file, relative to the project's root; null for a package. */
function targetOf(path: string, from: string): string | null {
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : null
}

function floorOf(path: string): number {
  return FLOORS.indexOf(relative('src', path).split('/')[0] as (typeof FLOORS)[number])
}

/**
 * Returns the floor of a file among the rooms of a folder, 0 for the top; null outside of the folder. A file in a room
 * that is not listed is below all others, so that whoever adds a room must list it.
 */
function roomOf(folder: string, rooms: readonly string[], path: string): number | null {
  if (!path.startsWith(`${folder}/`)) return null
  const [room, ...rest] = relative(folder, path).split('/')
  const floor = rooms.indexOf(rest.length === 0 ? '.' : room)
  return floor < 0 ? rooms.length : floor
}

/** Two levels of folders; search and embedding are one domain each. */
function domainOf(path: string): string {
  const [wing, ...rest] = relative('src', path).split('/')
  return rest.length < 2 || wing === 'search' || wing === 'embedding' ? wing : `${wing}/${rest[0]}`
}
