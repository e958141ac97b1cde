import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Where a connection is cut: before its COMMIT reaches the server, before the answer reaches the client, or, `held`,
 * before the COMMIT reaches the server, which goes on waiting for it.
 */
type Cut = 'before' | 'after' | 'held'

/** What a driver sends to commit. */
const COMMIT = Buffer.from('commit\0')

/** Stands between a client and PostgreSQL, and cuts connections at their COMMIT. */
export class CuttingProxy {
  readonly url: string
  /** How the next COMMIT is met; null lets it pass. */
  next: Cut | null = null
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
      }
      if (cut === 'before' || cut === 'held') client.destroy()
      else server.write(data)
    })
    server.on('data', (data: Buffer) => {
      if (cut === 'after') client.destroy()
      else client.write(data)
    })
    server.on('close', () => client.destroy())
    client.on('close', () => {
      if (cut !== 'held') server.destroy()
    })
  }
}
