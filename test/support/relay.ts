import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Relays connections to the primary of PostgreSQL, whichever server that is: a failover moves such an address. */
export class Relay {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port: number

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer((client) => {
      const server = connect(this.#port, '127.0.0.1')
      for (const [one, other] of [
        [client, server],
        [server, client],
      ]) {
        this.#sockets.add(one)
        one.on('error', () => undefined)
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
  }

  static async to(url: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(url).port))
    await once(relay.#server.listen(0, '127.0.0.1'), 'listening')
    return relay
  }

  get url(): string {
    return `postgres://postgres:postgres@127.0.0.1:${(this.#server.address() as AddressInfo).port}/postgres`
  }

  /** Directs connections to another server from now on, and ends all open ones. */
  lead(url: string): void {
    this.#port = Number(new URL(url).port)
    this.#cut()
  }

  close(): void {
    this.#server.close()
    this.#cut()
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
