import { chmod, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { EngineStatus, SearchAnswer, SearchEngine } from '../engine.ts'
import { packAnswers, packError, type PackedError, unpackSearches } from '../memory/protocol.ts'
import { FrameReader, type FromHolder, type ToHolder, writeFrame } from './frames.ts'

/** Answers the searches that other processes of this machine pass on, from this process's own engine. */
export class HolderServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(engine: SearchEngine) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      serve(socket, engine)
    })
  }

  /**
   * Listens on a Unix socket that only the user of this process may open.
   * @param path in a folder that only this user may enter
   * @throws the system's error when that is not possible
   */
  static async listen(path: string, engine: SearchEngine): Promise<HolderServer> {
    const holder = new HolderServer(engine)
    await rm(path, { force: true })
    // Exclusive: otherwise Node's cluster would share the socket among the processes, as it shares the port.
    holder.#server.listen({ path, exclusive: true })
    await once(holder.#server, 'listening')
    await chmod(path, 0o600)
    return holder
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

/** Whoever goes away misses the answers; its searches run to their end. */
function serve(socket: Socket, engine: SearchEngine): void {
  const reader = new FrameReader()
  let answers: { call: number; answer: SearchAnswer }[] = []
  let errors: PackedError[] = []
  const send = (message: FromHolder): void => {
    if (socket.writable) writeFrame(socket, message)
  }
  /** Answers that are ready in one turn of the event loop are sent in one message. */
  const sendAnswers = (): void => {
    const message = packAnswers(answers, errors)
    answers = []
    errors = []
    send(message)
  }
  const answered = (call: number, answer: SearchAnswer): void => {
    if (answers.length + errors.length === 0) setImmediate(sendAnswers)
    answers.push({ call, answer })
  }
  const failed = (call: number, error: Error): void => {
    if (answers.length + errors.length === 0) setImmediate(sendAnswers)
    errors.push(packError(call, error))
  }
  const done = (call: number, work: Promise<EngineStatus | void>): void => {
    void work.then(
      (status) => send({ kind: 'done', call, status: status ?? null }),
      (error: Error) => failed(call, error),
    )
  }
  const take = (message: ToHolder): void => {
    if (message.kind === 'ping') send({ kind: 'here' })
    else if (message.kind === 'search') {
      for (const { call, request } of unpackSearches(message)) {
        void engine.search(request).then(
          (answer) => answered(call, answer),
          (error: Error) => failed(call, error),
        )
      }
    } else if (message.kind === 'warm') done(message.call, engine.warm(message.version))
    else if (message.kind === 'drop') done(message.call, engine.drop(message.tenantId))
    else done(message.call, engine.status(message.tenantId ?? undefined))
  }
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.take(chunk)) take(message as ToHolder)
    } catch {
      socket.destroy()
    }
  })
  send({ kind: 'here' })
}
