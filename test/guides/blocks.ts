import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Returns the code blocks of one language, in the order of the page. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, text]) => text)
}

/** One call of curl with its arguments as the shell passes them. */
export interface CurlCall {
  readonly method: string
  /** Path within the service's address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, or `@FILE` for a body read from a file. */
  readonly body: string | undefined
  /** Whether the call keeps the cookies of its answer, or sends those that an earlier one kept. */
  readonly cookies: 'kept' | 'sent' | null
}

/**
 * Script that replaces curl by a function that prints its arguments, and other commands by functions that do nothing.
 */
const STAND_IN = `
curl() { "$NODE" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }
knowledge() { :; }
npm() { :; }
`

/**
 * Returns the calls of curl in a shell block. A real shell resolves quotes and variables.
 * @param variables variables that the block's reader would have set
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
  let cookies: CurlCall['cookies'] = null
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word === '-X') method = words[++i]
    else if (word === '-H') {
      const [name, ...value] = words[++i].split(': ')
      headers[name.toLowerCase()] = value.join(': ')
    } else if (word === '-d' || word === '--data-binary') body = words[++i]
    else if (word.startsWith('http://localhost:8080/')) path = word.slice('http://localhost:8080'.length)
    else if (word === '-o') i += 1
    else if (word === '-c' || word === '-b') {
      cookies = word === '-c' ? 'kept' : 'sent'
      i += 1
    } else if (word !== '-s' && word !== '-i')
      throw new Error(`A guide calls curl with ${word}, which this test does not know`)
  }
  if (path === undefined) throw new Error(`A guide calls curl without an address: ${words.join(' ')}`)
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers, body, cookies }
}
