// Which test files share a process. Each process loads the service and warms up the compiled code anew, which costs
// more than most files' own tests: one process for a folder takes half of what one for each of its files does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Folders whose tests work in their own process. Those of the others mostly wait for processes that they start. */
const SHARED = [
  'src',
  ...['api', 'http', 'isolation', 'limits', 'mcp', 'oauth', 'sessions'].map((name) => `test/${name}`),
]
/** What takes longest starts first, so that nothing long is left to run alone at the end. */
const FIRST = ['test/durability/kill.test.ts', 'test/isolation', 'test/oauth', 'test/limits', 'test/api']
/** Hooks outside of a suite are for all tests of the process: a file that has them runs by itself. */
const HOOKS_OF_THE_PROCESS = /^(?:before|after)(?:Each)?\(/m

export interface TestRuns {
  /** Files for Node's runner, one for each process. */
  readonly files: readonly string[]
  remove(): void
}

/**
 * Writes, for each process, a module that imports its test files.
 * @param files paths under the current folder
 */
export function testRuns(files: readonly string[]): TestRuns {
  const runs = Map.groupBy(files, nameOf)
  const rank = (name: string): number => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1)
  const names = [...runs.keys()].sort((a, b) => rank(a) - rank(b))
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-test-runs-'))
  const modules = names.map((name, i) => {
    // The runner goes by the alphabet.
    const path = join(folder, `${String(i).padStart(3, '0')}-${name.replaceAll('/', '-')}.mjs`)
    const imports = runs.get(name)!.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`)
    writeFileSync(path, imports.join(''))
    return path
  })
  return { files: modules, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The folder whose process a file runs in, or the file itself. */
function nameOf(file: string): string {
  const folder = SHARED.find((each) => file.startsWith(`${each}/`))
  return folder === undefined || HOOKS_OF_THE_PROCESS.test(readFileSync(file, 'utf8')) ? file : folder
}
