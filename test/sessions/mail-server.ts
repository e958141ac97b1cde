import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { found } from '../support/patience.ts'

/** A mail as the server got it. */
interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and text, as sent. */
  readonly data: string
}

/** A mail server (RFC 5321) for tests, that keeps what it gets, and can be told to refuse. */
export class MailServer {
  readonly mails: ReceivedMail[] = []
  isRefusing = false
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor() {
    this.#server = createServer((socket) => this.#talk(socket))
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Waits for the next mail to an address that satisfies the condition. */
  mailTo(address: string, after = 0): Promise<ReceivedMail> {
    return found(() => this.mails.slice(after).find(({ to }) => to.includes(address)), `mail comes to ${address}`)
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy())
    socket.setEncoding('utf8').write('220 test\r\n')
    let [text, from, isData]: [string, string, boolean] = ['', '', false]
    let to: string[] = []
    socket.on('data', (chunk: string) => {
      text += chunk
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const part = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          this.mails.push({ from, to, data: part })
          isData = false
          socket.write('250 kept\r\n')
          continue
        }
        const [, address = ''] = /<(.*)>/.exec(part) ?? []
        if (/^mail/i.test(part)) [from, to] = [address, []]
        if (/^rcpt/i.test(part)) to = [...to, address]
        if (/^rcpt/i.test(part) && this.isRefusing) socket.write(`451 not now, ${address}\r\n`)
        else if (/^data/i.test(part)) {
          isData = true
          socket.write('354 go on\r\n')
        } else if (/^quit/i.test(part)) socket.end('221 bye\r\n')
        else socket.write('250 fine\r\n')
      }
    })
  }
}

/** Returns the text of a mail, decoded. */
export function textOf({ data }: ReceivedMail): string {
  const [head, ...rest] = data.split('\r\n\r\n')
  const body = rest.join('\n\n')
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
