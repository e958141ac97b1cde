import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** Installs the peers' packages once. Where that fails, each peer that needs a package is left out with the reason. */
export function installPeers(): void {
  if (existsSync(join(FOLDER, 'node_modules'))) return
  process.stderr.write('Installing the peers (once) …\n')
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { npm_config_omit: _omit, ...env } = process.env
  // `npm ci` would refuse the lock file, which has the binaries of the platforms alone that it was made for.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync(command, [...first, ...args], { cwd: FOLDER, env, stdio: ['ignore', process.stderr, process.stderr] })
}
