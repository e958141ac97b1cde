import { endianness } from 'node:os'
import { ConfigError } from '../../config.ts'
import { hostPortText } from '../../platform/host-port.ts'
import { HolderServer } from './holder-server.ts'
import type { SharedSearch } from './join-processes.ts'
import type { LineTrouble } from './line.ts'
import type { Members } from './members.ts'
import { type PassingOptions, PassingEngine } from './passing-engine.ts'
import { PatientListener } from './patient-listener.ts'
import { sealedLine } from './sealed-line.ts'

interface PeerLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

const SAME_KEY = 'give all processes of the installation the same SECRET_KEY'
const TROUBLES: Readonly<Record<LineTrouble['kind'], string>> = {
  'other-key': `a process in SEARCH_PEERS has another secret key, and its tenants are searched here: ${SAME_KEY}`,
  'other-program':
    'a process in SEARCH_PEERS runs a version with other messages: nothing is passed on to it until both run the same',
  unreachable:
    'a process in SEARCH_PEERS cannot be reached, and its tenants are searched here: check that it runs, that its ' +
    'SEARCH_LISTEN is this address, and that nothing between the machines closes the port',
}

/**
 * Joins the processes of all machines that share tenants: passes searches on to them, and answers searches of theirs.
 * @param key key that all these processes have
 * @param ready resolves when this process can answer searches; until then the others do not count it as running
 * @throws ConfigError when this process cannot listen on its address, or the machine is not little-endian
 */
export async function joinPeers(
  { own, others }: Members,
  key: Buffer,
  options: Omit<PassingOptions, 'own' | 'onTrouble'>,
  ready: Promise<void>,
  log: PeerLog,
): Promise<SharedSearch> {
  // Messages contain numbers as they lie in memory.
  if (endianness() !== 'LE') throw new ConfigError(['SEARCH_PEERS needs a machine with little-endian processors'])
  const name = hostPortText(own)
  const onOtherKey = (address: string): void =>
    log.warn({ address }, `a process with another secret key wanted to pass searches on, and was refused: ${SAME_KEY}`)
  const listener = await PatientListener.open(
    () => HolderServer.listenSealed(own, { key, onOtherKey }, options.engine, options.identity, ready),
    () =>
      log.warn({ address: name }, 'SEARCH_LISTEN is taken: no process passes searches on to this one until it is free'),
  )
  const engine = new PassingEngine({
    ...options,
    own: name,
    onTrouble: (peer, { kind, code }) =>
      log[kind === 'other-program' ? 'info' : 'warn']({ peer, ...(code === null ? {} : { code }) }, TROUBLES[kind]),
  })
  engine.setPeers(new Map(others.map((peer) => [hostPortText(peer), sealedLine(peer, key)])))
  return {
    engine,
    async close() {
      await Promise.all([engine.close(), listener.close()])
    },
  }
}
