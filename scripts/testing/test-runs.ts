// Decides which test files share a process. Each process loads the service and warms up its code, which takes longer
// than the tests of most files: one process for a folder takes half the time of one process for each file.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Folders whose tests share a process, because they do their work in it. Other tests mostly wait for processes they
 * start.
 */
export const SHARED = [
  'src',
  ...['api', 'cli', 'http', 'isolation', 'limits', 'mcp', 'oauth', 'operators', 'products', 'sessions'].map(
    (name) => `test/${name}`,
  ),
]
/** Names of the longest runs. They start first, in this order, so that none of them runs alone at the end. */
export const FIRST = [
  'test/api',
  'test/isolation',
  'test/console/stories.test.ts',
  'test/console/screens.test.ts',
  'src',
  'test/durability/kill.test.ts',
  'test/limits',
  'test/operators',
  'test/products',
  'test/sessions',
  'test/oauth',
  'test/cli',
  'test/faults/postgres-outage.test.ts',
  'test/http',
  'test/reference/page.test.ts',
  'test/embedding/queue.test.ts',
  'test/freshness/freshness.test.ts',
  'test/freshness/default-wait.test.ts',
  'test/examples/pages.test.ts',
  'test/mcp',
  'test/tidy/unused.test.ts',
  'test/console/work.test.ts',
  'test/console/pages.test.ts',
  'test/console/accounts.test.ts',
  'test/console/insights.test.ts',
  'test/deployment/container-size.test.ts',
  'test/deployment/container.test.ts',
  'test/deployment/machines.test.ts',
  'test/backup/copy.test.ts',
  'test/backup/sqlite.test.ts',
  'test/backup/migrate.test.ts',
  'test/deployment/pgbouncer.test.ts',
  'test/monitoring/prometheus.test.ts',
  'test/pgvector/switching.test.ts',
  'test/faults/search-memory.test.ts',
  'test/trials/faulty-disk.test.ts',
  'test/tidy/adding/adding.test.ts',
]
/**
 * Matches a hook outside a suite. It applies to all tests of its process, so a file with such a hook runs by itself.
 */
const HOOKS_OF_THE_PROCESS = /^(?:before|after)(?:Each)?\(/m

/**
 * Writes, for each process, a module that imports its test files.
 * @param files paths under the current folder
 * @param passed names of processes that are left out
 * @param folder where the modules are written
 * @returns the modules, for Node's test runner
 */
export function testRuns(files: readonly string[], passed: ReadonlySet<string>, folder: string): string[] {
  const runs = Map.groupBy(files, nameOf)
  const names = [...runs.keys()].filter((name) => !passed.has(name)).sort((a, b) => placeOf(a) - placeOf(b))
  return names.map((name, i) => {
    // The runner starts files in alphabetical order.
    const path = join(folder, `${String(i).padStart(3, '0')}+${name.replaceAll('/', '+')}.mjs`)
    const imports = runs.get(name)!.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`)
    writeFileSync(path, imports.join(''))
    return path
  })
}

/**
 * Tells whether an event of a reporter is about the module of a run, rather than a test in it. The runner reports the
 * end of a run at once.
 */
export function isRun({ name, file }: { name: string; file?: string | undefined }): boolean {
  return file !== undefined && basename(name) === basename(file)
}

/** Returns the name of a run by the module that `testRuns` wrote for it. */
export function runNameOf(module: string): string {
  const [, ...parts] = basename(module, '.mjs').split('+')
  return parts.join('/')
}

/**
 * Returns the name of the process in which a file's tests run: the folder whose process it shares, or the file itself.
 */
export function nameOf(file: string): string {
  const folder = SHARED.find((each) => file.startsWith(`${each}/`))
  return folder === undefined || HOOKS_OF_THE_PROCESS.test(readFileSync(file, 'utf8')) ? file : folder
}

function placeOf(name: string): number {
  const place = FIRST.indexOf(name)
  return place === -1 ? FIRST.length : place
}
