import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the model that ships with the service. */
export const FOLDER = new URL('../../../models/contextual-eu-v1/', import.meta.url).href

/** Package of the runtime. It is optional, so nothing imports it by name. */
export const RUNTIME = 'onnxruntime-node'

/** Where the model and its runtime are looked for; by default in the service's own modules. */
export interface ModelPlace {
  /** URL of the folder with the model. */
  readonly folder?: string
  /** URL of the module from which the runtime is resolved. */
  readonly runtimeFrom?: string
}

/**
 * Tells why the model can never be loaded here. It loads nothing, and so does not notice a file that is broken.
 * @returns null when loading can be tried
 */
export function absenceOf({ folder = FOLDER, runtimeFrom }: ModelPlace = {}): string | null {
  if (!existsSync(fileURLToPath(new URL('model.onnx', folder)))) return 'models/contextual-eu-v1 has no model.onnx'
  return runtimeAbsence(runtimeFrom)
}

/**
 * Tells why no model can be run here. It loads nothing.
 * @param from URL of the module from which the runtime is resolved, by default one of the service's own
 * @returns null when loading can be tried
 */
export function runtimeAbsence(from: string = import.meta.url): string | null {
  let library: string | null
  try {
    library = libraryIn(dirname(createRequire(from).resolve(`${RUNTIME}/package.json`)))
  } catch {
    return `the optional package ${RUNTIME} is not installed`
  }
  if (library === null) return `${RUNTIME} has no library for ${process.platform} on ${process.arch}`
  if (isMusl()) return `${RUNTIME} needs glibc, and this system has another C library`
  return null
}

/** Returns the path of the runtime's library for this platform; null when the package has none. */
function libraryIn(folder: string): string | null {
  const bin = join(folder, 'bin')
  const paths = readdirSync(bin).map((api) =>
    join(bin, api, process.platform, process.arch, 'onnxruntime_binding.node'),
  )
  return paths.find((path) => existsSync(path)) ?? null
}

/** Tells whether Node runs on musl, as on Alpine: then its loader is among the files that the process has mapped. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-')
  } catch {
    return false
  }
}
