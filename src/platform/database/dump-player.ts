import { once } from 'node:events'
import type { Duplex, Readable } from 'node:stream'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Queries } from './database.ts'
import { partsOf } from './dump-script.ts'
import { CONNECTION_WAIT_MS, types } from './postgres.ts'
import { withoutPooling } from './postgres-address.ts'
import type { Tables } from './tables.ts'

/** Plays scripts of pg_restore in a transaction. */
interface DumpPlayer {
  /** Carries out a script. @throws the server's error */
  play(script: Readable): Promise<void>
  /** Reads what the script has written, which no other transaction sees yet. */
  readonly queries: Queries
}

/**
 * Runs `work` in one transaction over a connection of its own, and stores what it wrote once `work` is done. The
 * transaction ends with this process, so a process that is killed leaves nothing. pg_restore would go on, because it
 * has its own connection.
 */
export async function withDumpPlayer<T>(databaseUrl: string, work: (player: DumpPlayer) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: withoutPooling(databaseUrl),
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
    application_name: 'knowledge-restore',
    types,
  })
  // The statement that runs reports the error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin')
    const result = await work({ play: (script) => play(client, script), queries: queriesOver(client) })
    await client.query('commit')
    return result
  } finally {
    // The server rolls back what is not committed yet.
    await client.end().catch(() => undefined)
  }
}

async function play(client: pg.Client, script: Readable): Promise<void> {
  try {
    for await (const part of partsOf(script)) {
      if ('statements' in part) await client.query(part.statements)
      else await copyIn(client, part.copy, part.rows)
    }
    // A script empties the search path, and names every table with its schema.
    await client.query('reset search_path')
  } finally {
    script.destroy()
  }
}

function queriesOver(client: pg.Client): Queries {
  const borrowed = { query: client.query.bind(client), release: () => undefined }
  const connect = async (): Promise<pg.PoolClient> => borrowed as unknown as pg.PoolClient
  const pool = { connect, end: async () => undefined, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Connection of the driver, with the messages of COPY, which its types leave out. */
interface CopyConnection extends pg.Connection {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** A COPY statement, in the form that the driver hands its messages to. */
class CopyIn implements pg.Submittable {
  readonly #text: string
  readonly #ready = Promise.withResolvers<CopyConnection>()
  readonly #done = Promise.withResolvers<void>()

  constructor(text: string) {
    this.#text = text
    // The sender awaits one of the two, and a refused statement rejects both.
    for (const { promise } of [this.#ready, this.#done]) promise.catch(() => undefined)
  }

  /** Resolves when the server takes rows. */
  get ready(): Promise<CopyConnection> {
    return this.#ready.promise
  }

  /** Resolves when the server has taken all rows. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#ready.resolve(connection)
  }

  handleCommandComplete(): void {
    // The server says that it is ready next.
  }

  handleReadyForQuery(): void {
    this.#done.resolve()
  }

  handleError(error: Error): void {
    this.#ready.reject(error)
    this.#done.reject(error)
  }
}

/** Carries out a COPY statement with rows in PostgreSQL's text format. */
async function copyIn(client: pg.Client, text: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const copy = client.query(new CopyIn(text))
  const connection = await copy.ready
  const send = async (): Promise<void> => {
    try {
      for await (const chunk of rows) {
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      connection.sendCopyFail('the rows end early')
      throw error
    }
  }
  // The server may refuse a row while others are still being sent.
  await Promise.all([copy.done, send()])
}
