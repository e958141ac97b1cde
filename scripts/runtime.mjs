// Plain JavaScript for any Node from 20 on. It finds the Node that the project runs on, and installs the dependencies
// of a clean clone. All other code may assume the project's Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faultSinceCompared, isNodePackaged, isSameFile, packagedNode } from './packaged-node.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Cache of compiled modules; it halves the time of a start. */
export const compileCache = join(root, 'node_modules', '.cache', 'compile')
/**
 * Settings of glibc's memory (mallopt(3)); the operator's own environment wins. Large buffers, such as answers, go back
 * to the system when they are freed, and threads share two arenas. By default each thread's peak would be kept.
 */
export const MALLOC_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}
const require = createRequire(join(root, 'package.json'))

/** The oldest Node that executes the TypeScript sources as they are. */
const NODE_MAJOR_MIN = 24

/**
 * Returns the Node to run on, or null when there is none. The program takes the running one when it is recent enough,
 * and the packaged one otherwise. Developers have the packaged one, so that tests and figures are of the same Node.
 */
function findNode(prefersPackaged) {
  const running = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN ? process.execPath : null
  const packaged = packagedNode()
  return prefersPackaged ? (packaged ?? running) : (running ?? packaged)
}

/** Says why there is no Node to run on, and what to do. */
function nodeMissing() {
  const needed = `The service needs Node ${NODE_MAJOR_MIN} or later, and this is Node ${process.versions.node}.`
  if (!isNodePackaged())
    return `${needed} No Node is packaged for ${process.platform}-${process.arch}: install one and try again.`
  return (
    `${needed} The one that is packaged with it was left out with the optional packages. Install Node ` +
    `${NODE_MAJOR_MIN} or later and try again; or call npm ci --ignore-scripts, which installs the optional packages.`
  )
}

/** Exits with a message when a Node of the project's packages is not the one that the project knows. */
function requireKnown(node) {
  const packaged = packagedNode()
  const fault = packaged !== null && isSameFile(node, packaged) ? faultSinceCompared(packaged) : null
  if (fault === null) return
  process.stderr.write(
    `${fault}\nIt is not started. Delete node_modules and try again, or install Node ${NODE_MAJOR_MIN} or later.\n`,
  )
  process.exit(1)
}

function isInstalled(names) {
  return names.every((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
}

/**
 * Installs the packages of a folder's lock file, without install scripts. Exits with a message when that fails.
 * @param {boolean} withDev whether to install the packages for development too
 */
export function install(withDev, folder = root) {
  process.stderr.write('Installing dependencies (once) …\n')
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    withDev ? '--include=dev' : '--omit=dev',
  ]
  const npm = process.env.npm_execpath
  const [command, prefix] = npm ? [process.execPath, [npm]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
  const { npm_config_omit: _omit, npm_config_ignore_scripts: _scripts, ...env } = process.env
  const done = spawnSync(command, [...prefix, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32' && !npm,
  })
  if (done.status !== 0) {
    process.stderr.write(
      'npm could not install the dependencies. Check the network and the messages above, then try again.\n',
    )
    process.exit(1)
  }
}

/**
 * Installs missing dependencies.
 * @param {{dev?: boolean}} [options] dev: also those of tests, linter and benchmarks
 * @returns {string} path of the Node binary for the project; exits with a message when there is none
 */
export function prepare({ dev = false } = {}) {
  const { dependencies, devDependencies } = require('./package.json')
  const wanted = [...Object.keys(dependencies), ...(dev ? Object.keys(devDependencies) : [])]
  if (!isInstalled(wanted)) install(dev)
  const node = findNode(dev)
  if (node === null) {
    process.stderr.write(`${nodeMissing()}\n`)
    process.exit(1)
  }
  requireKnown(node)
  return node
}
