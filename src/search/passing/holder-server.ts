import { chmod, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { HostPort } from '../../platform/host-port.ts'
import type { EngineForRequests, SearchAnswer } from '../engine.ts'
import { packAnswers, packError, type PackedError, unpackSearches } from '../memory/host/protocol.ts'
import { FrameReader, type FromHolder, type ProcessIdentity, type ToHolder, writeFrame } from './frames.ts'
import { createSealedServer } from './sealed-line.ts'

/** Answers the searches that other processes pass on, from this process's own engine. */
export class HolderServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, openEvent: 'connection' | 'secureConnection', answer: (socket: Socket) => void) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    server.on(openEvent, answer)
  }

  /**
   * Listens on a Unix socket that only the user of this process may open.
   * @param path path of the socket, in a folder that only this user may enter
   * @throws Error of the operating system when that is not possible
   */
  static async listen(path: string, engine: EngineForRequests, identity: ProcessIdentity): Promise<HolderServer> {
    const holder = new HolderServer(createServer(), 'connection', (socket) =>
      serve(socket, engine, identity, Promise.resolve()),
    )
    await rm(path, { force: true })
    await holder.#listen({ path })
    await chmod(path, 0o600)
    return holder
  }

  /**
   * Listens on an address for processes that have the key.
   * @param sealing.onOtherKey called once for each address that has shown another key
   * @param ready resolves when this process can answer searches; until then the others do not count it as running
   * @throws Error of the operating system when that is not possible
   */
  static async listenSealed(
    { host, port }: HostPort,
    { key, onOtherKey }: { readonly key: Buffer; readonly onOtherKey: (address: string) => void },
    engine: EngineForRequests,
    identity: ProcessIdentity,
    ready: Promise<void>,
  ): Promise<HolderServer> {
    const server = createSealedServer(key, onOtherKey)
    const holder = new HolderServer(server, 'secureConnection', (socket) => serve(socket, engine, identity, ready))
    await holder.#listen({ host, port })
    return holder
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /**
   * Listens exclusively: otherwise Node's cluster would share the address among the processes, as it shares the port of
   * HTTP.
   */
  async #listen(options: ListenOptions): Promise<void> {
    this.#server.listen({ ...options, exclusive: true })
    await once(this.#server, 'listening')
    // A process whose connection could not be accepted connects again.
    this.#server.on('error', () => undefined)
  }
}

/** Answers the messages of one connection. If the connection ends, its searches run to their end unanswered. */
function serve(socket: Socket, engine: EngineForRequests, identity: ProcessIdentity, ready: Promise<void>): void {
  const here = { kind: 'here', ...identity } as const
  const reader = new FrameReader()
  let answers: { call: number; answer: SearchAnswer }[] = []
  let errors: PackedError[] = []
  const send = (message: FromHolder): void => {
    if (socket.writable) writeFrame(socket, message)
  }
  /** Sends all answers that became ready in one turn of the event loop as one message. */
  const sendAnswers = (): void => {
    const message = packAnswers(answers, errors)
    answers = []
    errors = []
    send(message)
  }
  const addAnswer = (call: number, answer: SearchAnswer): void => {
    if (answers.length + errors.length === 0) setImmediate(sendAnswers)
    answers.push({ call, answer })
  }
  const addError = (call: number, error: Error): void => {
    if (answers.length + errors.length === 0) setImmediate(sendAnswers)
    errors.push(packError(call, error))
  }
  const take = (message: ToHolder): void => {
    if (message.kind === 'ping') send(here)
    else if (message.kind === 'search') {
      for (const { call, request } of unpackSearches(message)) {
        void engine.search(request).then(
          (answer) => addAnswer(call, answer),
          (error: Error) => addError(call, error),
        )
      }
    } else {
      const { call, tenantId } = message
      void engine.status(tenantId ?? undefined).then(
        (value) => send({ kind: 'done', call, value }),
        (error: Error) => addError(call, error),
      )
    }
  }
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.take(chunk)) take(message as ToHolder)
    } catch {
      socket.destroy()
    }
  })
  void ready.then(() => send(here))
}
