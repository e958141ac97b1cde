/** Serves the example pages and the client's build. The pages ask the service at the address with the key. */
import { createReadStream, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './runtime.mjs'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
const CONFIG = '/examples/shared/config.js'

/** Configuration of the pages: the service, the publishable key and, for the storefront, the site. */
export interface PageConfig {
  readonly url: string
  readonly key: string
  readonly site?: string
  /** Attributes of products that the storefront filters by. */
  readonly attributes?: readonly string[]
}

/** The example pages, served by a server of their own. */
export class Examples {
  readonly #server: Server
  /** Texts in place of files, by path. */
  readonly #texts = new Map<string, string>()

  private constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const text = this.#texts.get(pathname)
      if (text !== undefined) {
        response.writeHead(200, { 'content-type': TYPES[extname(pathname)], 'cache-control': 'no-store' }).end(text)
        return
      }
      const file = fileOf(pathname)
      if (file === null) {
        response.writeHead(404).end()
        return
      }
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      createReadStream(file).pipe(response)
    })
  }

  static async listen(port: number): Promise<Examples> {
    const examples = new Examples()
    await new Promise<void>((resolve, reject) => {
      examples.#server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    return examples
  }

  /** The origin of the pages, which the key must name. */
  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  configure(config: PageConfig): void {
    this.give(CONFIG, `export const config = ${JSON.stringify(config)}\n`)
  }

  /** Sets the text that answers a path. */
  give(path: string, text: string): void {
    this.#texts.set(path, text)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Returns the file of a path, as in the project; null for one that is not there or outside the two folders. */
function fileOf(path: string): string | null {
  const file = join(root, path.endsWith('/') ? `${path}index.html` : path)
  const isServed = ['examples', join('client', 'dist')].some((folder) => file.startsWith(join(root, folder) + sep))
  return isServed && statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null
}

const USAGE = `Usage: npm run examples -- --key pk_… [--url ADDRESS] [--site SITE] [--attributes NAME,…] [--port PORT]

  --key pk_…     publishable key, made with the origin of these pages (http://localhost:3000)
  --url ADDRESS  the service (default: http://localhost:8080, or the PORT of the environment)
  --site SITE    id or slug of the site that the storefront searches (default: every site of the key)
  --attributes NAME,…
                 attributes of products that the storefront filters by, such as colour,size (three at most)
  --port PORT    where the pages are served (default: 3000)
`

/**
 * Serves the pages.
 * @returns exit code 0; 2 when the call is wrong
 */
async function main(): Promise<number> {
  let options: { key?: string; url?: string; site?: string; attributes?: string; port?: string; help?: boolean }
  try {
    const text = { type: 'string' } as const
    options = parseArgs({
      options: { key: text, url: text, site: text, attributes: text, port: text, help: { type: 'boolean' } },
    }).values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`)
    return 2
  }
  const { key, site, attributes, port = '3000', help = false } = options
  const { url = `http://localhost:${process.env.PORT ?? '8080'}` } = options
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    process.stderr.write(`--port must be a number up to 65535\n${USAGE}`)
    return 2
  }
  if (key === undefined) {
    const command = `npm run knowledge -- key publish --name examples --origin http://localhost:${port}`
    process.stderr.write(`--key is missing. Make one that these pages may use: ${command}\n`)
    return 2
  }
  let examples: Examples
  try {
    examples = await Examples.listen(Number(port))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    process.stderr.write(`Port ${port} is taken. Name another with --port, and make a key for its origin\n`)
    return 2
  }
  examples.configure({ url, key, site, attributes: attributes?.split(',') })
  process.stdout.write(`${examples.origin}/examples/storefront/\n${examples.origin}/examples/intranet/\n`)
  return 0
}

if (import.meta.main) process.exitCode = await main()
