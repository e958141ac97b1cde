import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }
const HEADER_BYTES = 12

interface Question {
  readonly name: string
  readonly type: 'A' | 'AAAA'
}

export interface NameServer {
  /** Host and port of the server. */
  readonly address: string
  /** Questions received so far. */
  readonly questions: readonly Question[]
  close(): void
}

/**
 * Starts a name server on this machine, reached over UDP.
 * @param answer returns the addresses of a name; null for no answer at all
 */
export async function startNameServer(answer: (question: Question) => readonly string[] | null): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: Question[] = []
  socket.on('message', (query, from) => {
    const { question, end } = questionOf(query)
    questions.push(question)
    const addresses = answer(question)
    if (addresses === null) return
    const header = Buffer.from(query.subarray(0, HEADER_BYTES))
    // A response without error, with one question and that many answers (RFC 1035, section 4.1.1).
    header.writeUInt16BE(0x8180, 2)
    for (const [i, count] of [1, addresses.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * i)
    const records = addresses.map((address) => recordOf(query.subarray(end - 4, end), address))
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, questions, close: () => void socket.close() }
}

function questionOf(query: Buffer): { question: Question; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { question: { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] }, end: at + 5 }
}

/** Returns a record for the name, type and class of the question, valid for one second. */
function recordOf(typeAndClass: Buffer, address: string): Buffer {
  const data = isIPv6(address) ? ipv6(address) : Buffer.from(address.split('.').map(Number))
  const fixed = Buffer.from([0, 0, 0, 1, 0, data.length])
  return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES]), typeAndClass, fixed, data])
}

function ipv6(address: string): Buffer {
  const [before, after = ''] = address.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const [head, tail] = [groups(before), groups(after)]
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
