import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Blocks of code of one language, in the order of the page. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, text]) => text)
}

/** One call of curl, as a shell hands it over. */
export interface CurlCall {
  readonly method: string
  /** From the address of the service on. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, or the file it is read from as `@FILE`. */
  readonly body: string | undefined
}

/** Stands for curl: says how it was called. Everything else in a block, such as the command line, does nothing. */
const STAND_IN = `
curl() { "$NODE" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }
knowledge() { :; }
npm() { :; }
`

/**
 * The calls of curl in a shell block, their quotes and variables resolved by a real shell.
 * @param variables what the block's reader would have set
 */
export function curlCalls(block: string, variables: Readonly<Record<string, string>>): CurlCall[] {
  const env = { PATH: process.env.PATH, NODE: process.execPath, ...variables }
  const said = execFileSync('sh', ['-euc', `${STAND_IN}${block}`], { env, encoding: 'utf8' })
  return said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => callOf(JSON.parse(line) as string[]))
}

function callOf(words: readonly string[]): CurlCall {
  const headers: Record<string, string> = {}
  let [method, path, body]: (string | undefined)[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word === '-X') method = words[++i]
    else if (word === '-H') {
      const [name, ...value] = words[++i].split(': ')
      headers[name.toLowerCase()] = value.join(': ')
    } else if (word === '-d' || word === '--data-binary') body = words[++i]
    else if (word.startsWith('http://localhost:8080/')) path = word.slice('http://localhost:8080'.length)
    else if (word !== '-s') throw new Error(`A guide calls curl with ${word}, which this test does not know`)
  }
  if (path === undefined) throw new Error(`A guide calls curl without an address: ${words.join(' ')}`)
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers, body }
}
