import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Hands each connection to the next process that takes one, as a balancer does that knows nothing of HTTP: a port that
 * is closed costs no request, and one that is open gets its share.
 */
export class Balancer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #ports: readonly number[]
  #next = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer({ pauseOnConnect: true }, (client) => void this.#hand(client))
  }

  /** @param ports of the processes, on this machine */
  static async before(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports)
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening')
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #hand(client: Socket): Promise<void> {
    client.on('error', () => undefined)
    const first = this.#next++
    for (let i = 0; i < this.#ports.length; i++) {
      const upstream = connect(this.#ports[(first + i) % this.#ports.length], '127.0.0.1')
      try {
        await once(upstream, 'connect')
      } catch {
        continue
      }
      upstream.on('error', () => undefined)
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ]) {
        this.#sockets.add(one)
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
      client.resume()
      return
    }
    client.destroy()
  }
}
