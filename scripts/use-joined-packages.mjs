// Preloaded into every process and thread of the program: imports of packages that were joined get the joined file.
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { joinedFiles, joinedFolder } from './joined-packages.mjs'

const folder = joinedFolder(dirname(import.meta.dirname))
const urls = new Map(
  Object.entries(joinedFiles(folder)).map(([name, file]) => [name, pathToFileURL(join(folder, file)).href]),
)
if (urls.size > 0) {
  registerHooks({
    resolve(name, context, next) {
      const url = urls.get(name)
      return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true }
    },
  })
}
