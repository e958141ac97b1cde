// Some packages are hundreds of small modules, and finding and linking these one by one is much of what a start costs,
// in every thread again. So each is joined into one file, once for each installation. Plain JavaScript for any Node
// from 20 on, like runtime.mjs.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/** What is joined, by the name it is imported under. Only ES modules: of others the names they export are not known. */
export const JOINED = [
  'kysely',
  'kysely/migration',
  'typebox',
  'typebox/compile',
  'typebox/format',
  'typebox/value',
  'uuid',
  '@modelcontextprotocol/server',
]
/** Whose versions decide what the files hold: those packages, what is joined into them, and what joins. */
const PACKAGES = [
  'kysely',
  'typebox',
  'uuid',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/core',
  'zod',
  'esbuild',
]
const LEFTOVER_AFTER_MS = 3_600_000

/**
 * Where the joined files of what is installed lie, whether they were made or not: other versions have another folder,
 * so that nothing stale is ever loaded, and none is taken away from a process that runs from it.
 * @param {string} root the project's folder
 */
export function joinedFolder(root) {
  const versions = PACKAGES.map((name) => {
    const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
    return `${name} ${JSON.parse(manifest).version}`
  })
  const madeOf = createHash('sha256')
    .update([...JOINED, ...versions].join('\n'))
    .digest('hex')
  return join(cacheOf(root), `packages-${madeOf.slice(0, 16)}`)
}

/** @param {string} name as it is imported */
export function joinedFile(name) {
  return `${name.replaceAll(/[@/]/g, '-')}.mjs`
}

/**
 * Joins what is installed. The folder appears whole, by its new name.
 * @param {string} root
 * @throws where the folder cannot be written to
 */
export async function joinPackages(root) {
  const folder = joinedFolder(root)
  mkdirSync(cacheOf(root), { recursive: true })
  removeLeftovers(root)
  const made = mkdtempSync(join(cacheOf(root), 'joining-'))
  try {
    const { build } = await import('esbuild')
    await build({
      absWorkingDir: root,
      entryPoints: JOINED.map((name) => ({ in: name, out: joinedFile(name).slice(0, -'.mjs'.length) })),
      outdir: made,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    })
    // For whoever the service runs as: a temporary folder is its maker's alone.
    chmodSync(made, 0o755)
    renameSync(made, folder)
  } catch (error) {
    // Another process was quicker, and its files are the same.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code) || !existsSync(folder)) throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** What processes left that were killed while they joined. */
function removeLeftovers(root) {
  for (const name of readdirSync(cacheOf(root))) {
    const path = join(cacheOf(root), name)
    const isOld = name.startsWith('joining-') && Date.now() - statSync(path).mtimeMs > LEFTOVER_AFTER_MS
    if (isOld) rmSync(path, { recursive: true, force: true })
  }
}

function cacheOf(root) {
  return join(root, 'node_modules', '.cache')
}
