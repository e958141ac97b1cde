import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Ways to cut a connection at its COMMIT. `before` cuts it before the COMMIT reaches the server, `after` before the
 * answer reaches the client. `held` cuts the client off before the COMMIT reaches the server, which goes on waiting for
 * it. `told` cuts nothing: like a pooler whose server has gone, it says so in answer to COMMIT, nothing is stored, and
 * the connection lives on.
 */
type Cut = 'before' | 'after' | 'held' | 'told'

/** Statement by which drivers commit. */
const COMMIT = Buffer.from('commit\0')
const ROLLBACK = message('Q', 'rollback\0')
/** Answer of a pooler whose server is gone, and which takes the next statement. */
const GONE = Buffer.concat([message('E', 'SERROR\0C08006\0Mserver connection lost\0\0'), message('Z', 'I')])

/** Stands between a client and PostgreSQL, and cuts connections at their COMMIT. */
export class CuttingProxy {
  readonly url: string
  /** Cut at the next COMMIT; null lets it pass. */
  next: Cut | null = null
  /** Whether new connections are refused from the next cut on. */
  closesWithCut = false
  /** Whether new connections are refused. */
  isClosed = false
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, to: URL) {
    this.#server = server
    const url = new URL(to)
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    this.url = url.href
    server.on('connection', (client) => this.#pass(client, to))
  }

  static async start(databaseUrl: string): Promise<CuttingProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new CuttingProxy(server, new URL(databaseUrl))
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #pass(client: Socket, to: URL): void {
    if (this.isClosed) {
      client.destroy()
      return
    }
    const server = connect(Number(to.port || 5432), to.hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    let cut: Cut | null = null
    client.on('data', (data: Buffer) => {
      if (data.includes(COMMIT)) {
        cut = this.next
        this.next = null
        if (cut !== null && this.closesWithCut) this.isClosed = true
      }
      if (cut === 'before' || cut === 'held') client.destroy()
      else if (cut === 'told') server.write(ROLLBACK)
      else server.write(data)
    })
    server.on('data', (data: Buffer) => {
      if (cut === 'after') client.destroy()
      else client.write(cut === 'told' ? GONE : data)
      if (cut === 'told') cut = null
    })
    server.on('close', () => client.destroy())
    client.on('close', () => {
      if (cut !== 'held') server.destroy()
    })
  }
}

/** Returns a message of PostgreSQL's protocol: its type, its length (which counts itself) and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeUInt32BE(4 + Buffer.byteLength(content), 1)
  return Buffer.concat([head, Buffer.from(content)])
}
