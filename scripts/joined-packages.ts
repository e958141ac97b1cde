/**
 * Joins the packages with the most modules into a file each, for the tests. The service loads them in its process and
 * again in each of its threads, and the tests start it hundreds of times: a third of such a start goes into finding and
 * opening 600 small files. Users' processes load the packages as they are installed.
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { consoleRoot, installConsolePackages } from './committed-build.ts'
import { root } from './runtime.mjs'

/** Every name by which the service imports them, and the file that each becomes. */
const FILES: Readonly<Record<string, string>> = {
  kysely: 'kysely.mjs',
  'kysely/migration': 'kysely-migration.mjs',
  typebox: 'typebox.mjs',
}
const CACHE = join(root, 'node_modules/.cache/joined-packages')

/** The part of Vite's bundler that is used here; the console's packages bring it. */
interface Bundler {
  readonly rolldown: (input: object) => Promise<{ write(output: object): Promise<unknown>; close(): Promise<void> }>
}

/**
 * Joins the packages unless the installed versions are joined already.
 * @returns the address of a module for `--import`: a process that loads it first gets the joined packages
 */
export async function joinPackages(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [join(root, 'package-lock.json'), import.meta.filename]) hash.update(readFileSync(file))
  const folder = join(CACHE, hash.digest('hex').slice(0, 16))
  if (!existsSync(folder)) await write(folder)
  return pathToFileURL(join(folder, 'load.mjs')).href
}

async function write(folder: string): Promise<void> {
  installConsolePackages()
  const bundler = pathToFileURL(join(consoleRoot, 'node_modules/rolldown/dist/index.mjs')).href
  const { rolldown } = (await import(bundler)) as Bundler
  mkdirSync(CACHE, { recursive: true })
  // Written elsewhere first: another run of the tests may be doing the same.
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
  const input = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [file, name]))
  const bundle = await rolldown({ cwd: root, input, platform: 'node', treeshake: false })
  await bundle.write({ dir: unfinished, entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  writeFileSync(join(unfinished, 'load.mjs'), LOADER)
  // Some tests start the program as another user.
  chmodSync(unfinished, 0o755)
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
}

/** Programs that tests start may run on an older Node, such as npm on the machine's. */
const LOADER = `import * as module from 'node:module'
const files = ${JSON.stringify(FILES)}
module.registerHooks?.({
  resolve: (name, context, next) =>
    Object.hasOwn(files, name) ? { url: new URL(files[name], import.meta.url).href, shortCircuit: true } : next(name, context),
})
`
