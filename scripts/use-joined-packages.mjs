// Preloaded into every process and thread of the program: imports of packages that were joined get the joined file.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { JOINED, joinedFile, joinedFolder } from './joined-packages.mjs'

const folder = joinedFolder(dirname(import.meta.dirname))
if (existsSync(folder)) {
  const urls = new Map(JOINED.map((name) => [name, pathToFileURL(join(folder, joinedFile(name))).href]))
  registerHooks({
    resolve(name, context, next) {
      const url = urls.get(name)
      return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true }
    },
  })
}
