// Some packages are hundreds of small modules, and finding and linking these one by one is much of what a start costs,
// in every thread again. So each is joined into one file, once for each installation. Plain JavaScript for any Node
// from 20 on, like runtime.mjs.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is joined, by the name it is imported under. Only ES modules: of others the names they export are not known. */
const IMPORTS = [
  'kysely',
  'kysely/migration',
  'typebox',
  'typebox/compile',
  'typebox/format',
  'typebox/value',
  'uuid',
  '@modelcontextprotocol/server',
]

/**
 * Where the joined files of an installation lie. `index.json` beside them says what they were made of, and is
 * written last.
 * @param {string} root the project's folder
 */
export function joinedFolder(root) {
  return join(root, 'node_modules', '.cache', 'packages')
}

/**
 * By the name it is imported under, the joined file's name; empty when the packages were not joined.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function joinedFiles(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).files
  } catch {
    return {}
  }
}

/**
 * Whether what is joined is what is installed.
 * @param {string} root
 */
export function isJoined(root) {
  try {
    const index = JSON.parse(readFileSync(join(joinedFolder(root), 'index.json'), 'utf8'))
    return JSON.stringify(index.madeOf) === JSON.stringify(installed(root))
  } catch {
    return false
  }
}

/**
 * Joins what is installed. What was joined before stays whole until the new files are there.
 * @param {string} root
 * @throws where the folder cannot be written to
 */
export async function joinPackages(root) {
  const { build } = await import('esbuild')
  const folder = joinedFolder(root)
  const files = Object.fromEntries(IMPORTS.map((name) => [name, `${name.replaceAll(/[@/]/g, '-')}.mjs`]))
  mkdirSync(dirname(folder), { recursive: true })
  const made = mkdtempSync(`${folder}-`)
  try {
    await build({
      absWorkingDir: root,
      entryPoints: IMPORTS.map((name) => ({ in: name, out: files[name].slice(0, -'.mjs'.length) })),
      outdir: made,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      keepNames: true,
      logLevel: 'silent',
    })
    writeFileSync(join(made, 'index.json'), JSON.stringify({ madeOf: installed(root), files }))
    // For whoever the service runs as: a temporary folder is its maker's alone.
    chmodSync(made, 0o755)
    // Another process that was quicker may run from its files already.
    if (isJoined(root)) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/**
 * What decides what is joined: the imports, and the versions of their packages and of what these are joined with.
 * @param {string} root
 */
function installed(root) {
  const packages = [...new Set(IMPORTS.map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)[0])), 'zod', 'esbuild']
  const versions = packages.map((name) => {
    const manifest = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    return `${name} ${manifest.version}`
  })
  return [...IMPORTS, ...versions]
}
