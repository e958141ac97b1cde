/**
 * Takes the examples out of docstrings, so that the type checker compiles them with everything else. An example is a
 * fenced block of TypeScript after `@example`; it sees what its module exports and may await.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Folder of the examples as modules; it is not committed. */
const FOLDER = join(ROOT, '.examples')

/** Folders whose docstrings may have examples. */
const PLACES = ['src', 'client/src', 'console/src']

const DOCSTRING = /\/\*\*[\s\S]*?\*\//g
const BLOCK = /@example\s+```ts\n([\s\S]*?)\n\s*```/g
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) ([\w$]+)/gm

/** Writes a module for each example. Former ones are deleted. */
export function writeDocstringExamples(): void {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const paths = PLACES.flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true }).map((name) => join(place, String(name))),
  )
  for (const path of paths.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
    for (const [i, module] of examplesOf(path, readFileSync(join(ROOT, path), 'utf8')).entries()) {
      writeFileSync(join(FOLDER, `${path.replaceAll(/[/.]/g, '-')}-${i + 1}.ts`), module)
    }
  }
}

/**
 * Returns the examples of a module as modules of the folder of examples.
 * @param path relative to the root of the project
 */
export function examplesOf(path: string, text: string): string[] {
  const names = Array.from(text.matchAll(EXPORTED), ([, name]) => name)
  return Array.from(text.matchAll(DOCSTRING)).flatMap(([docstring]) => {
    const plain = docstring.replaceAll(/^\s*\* ?/gm, '').replaceAll('*\\/', '*/')
    return Array.from(plain.matchAll(BLOCK), ([, code]) => moduleOf(path, names, code))
  })
}

function moduleOf(path: string, names: readonly string[], code: string): string {
  const used = names.filter((name) => new RegExp(`(?<![\\w$.'"])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code))
  const lines = code.split('\n')
  const isImport = (line: string): boolean => line.startsWith('import ')
  const from = (name: string): string => {
    const target = relative('.examples', join(dirname(path), name))
    return target.startsWith('.') ? target : `./${target}`
  }
  const imports = lines
    .filter(isImport)
    .map((line) => line.replace(/'(\.[^']*)'/, (_all, name: string) => `'${from(name)}'`))
  return [
    ...(used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${from(`./${path.split('/').at(-1)}`)}'`]),
    ...imports,
    'export async function example() {',
    ...lines.filter((line) => !isImport(line)),
    '}',
    '',
  ].join('\n')
}
