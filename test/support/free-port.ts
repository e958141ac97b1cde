import { type AddressInfo, createServer } from 'node:net'

/** Returns a port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Returns the first of several consecutive ports of this machine, on none of which anything listens. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort()
    const rest = await Promise.all(Array.from({ length: count - 1 }, (_, i) => isFree(first + i + 1)))
    if (!rest.includes(false)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
