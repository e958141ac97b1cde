import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { freePort } from '../support/free-port.ts'
import { adapted, Daemon, machineProgram } from './programs.ts'

const NGINX = machineProgram('nginx', 'nginx')
const SAMPLE = readFileSync(join(import.meta.dirname, '../../deploy/nginx/by-host.conf'), 'utf8')
const MACHINES = ['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080']
const HOSTS = Array.from({ length: 60 }, (_, i) => `tenant-${i}.example.com`)

describe('nginx in front of machines whose tenants have hosts', { skip: NGINX.skip }, () => {
  let folder: string
  let port: number
  let daemon: Daemon
  /** Stand-ins for machines, which answer with their number. */
  let machines: Server[]

  const machineOf = async (host: string): Promise<number> => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/`, { headers: { host } })
    const text = await body.text()
    assert.equal(statusCode, 200, text)
    return Number(text)
  }
  const placesOf = async (): Promise<Map<string, number>> => {
    const places = new Map<string, number>()
    for (const host of HOSTS) places.set(host, await machineOf(host))
    return places
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-by-host-'))
    chmodSync(folder, 0o755)
    machines = MACHINES.map((_, i) => createServer((_request, response) => void response.end(String(i))))
    for (const machine of machines) await once(machine.listen(0, '127.0.0.1'), 'listening')
    port = await freePort()
    const upstream = adapted(
      SAMPLE,
      MACHINES.map((place, i) => [place, `127.0.0.1:${(machines[i].address() as AddressInfo).port}`] as const),
    )
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(folder, each)};`,
    )
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr crit; ${process.getuid?.() === 0 ? 'user root;' : ''}
       events {} http { access_log off; ${paths.join(' ')} ${upstream}
       server { listen 127.0.0.1:${port}; location / { proxy_pass http://knowledge; proxy_http_version 1.1;
       proxy_set_header Connection ""; proxy_set_header Host $http_host; } } }\n`,
    )
    daemon = await Daemon.start(NGINX.path, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], port)
  })
  after(async () => {
    await daemon.stop()
    for (const machine of machines) {
      machine.close()
      machine.closeAllConnections()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('a host stays with its machine, and a machine that goes takes no other host along', async () => {
    const before = await placesOf()
    assert.deepEqual(new Set(before.values()), new Set([0, 1, 2]))
    assert.deepEqual(await placesOf(), before)
    machines[1].close()
    machines[1].closeAllConnections()
    const without = await placesOf()
    for (const [host, machine] of before) {
      if (machine === 1) assert.notEqual(without.get(host), 1, host)
      else assert.equal(without.get(host), machine, host)
    }
  })
})
