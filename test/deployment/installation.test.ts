import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Agent, fetch as fetchWith, type RequestInit as Init } from 'undici'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { blocksOf } from '../guides/blocks.ts'
import { freePort } from '../support/free-port.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import { MAIN, SURROUNDINGS } from '../support/program.ts'
import { adapted, type Daemon } from './programs.ts'
import { HOST, makeCertificate, PROXIES } from './proxies.ts'
import { Shell } from './shell.ts'
import { asJson, proxyAgent, SteadyClients } from './steady-clients.ts'

const GUIDE = 'docs/guides/run-an-installation.md'
const ENTRIES = '/api/knowledge/knowledge-entries'
const TENANTS = 300
const CLIENTS = 8
const NGINX = PROXIES.find(({ name }) => name === 'nginx')!
/** Script in place of rsync, which copies to a folder in place of another machine. */
const RSYNC = '#!/bin/sh\nset -eu\nmkdir -p "$ELSEWHERE"\ncp -a "$2." "$ELSEWHERE"\n'
const ANN = 'ann@customer-8.example'

describe('the guide to an installation', { skip: skipWithout('pgDump', 'nginx', 'prometheus') }, () => {
  let folder: string
  let server: PostgresServer
  let daemon: Daemon | undefined
  let shell: Shell
  let ports: [number, number]
  let httpsPort: number
  let ca: Buffer
  const agents: Agent[] = []
  /** The blocks of each step, by its number, as a reader with other folders and ports would type them. */
  let steps: readonly (readonly string[])[]
  const inFolder = (path: string): string => join(folder, path)
  /** Runs all blocks of a step. */
  const follow = async (step: number): Promise<string[]> => {
    const said = []
    for (const block of steps[step]) said.push(await shell.run(block))
    return said
  }
  /** Asks a process itself. */
  const ask = (path: string, key: string | null = ADMIN_KEY, init: Init = {}) =>
    fetchWith(`http://127.0.0.1:${ports[0]}${path}`, {
      ...init,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(init.headers as Record<string, string>),
      },
    })
  const keyOf = (tenant: string): string =>
    new RegExp(`^${tenant}\t(.+)$`, 'm').exec(readFileSync(inFolder('srv/tenants/keys.tsv'), 'utf8'))![1]
  const titles = async (key: string): Promise<string[]> => {
    const entries = (await (await ask(`${ENTRIES}?limit=50`, key)).json()) as { title: string }[]
    return entries.map(({ title }) => title).toSorted()
  }
  const write = async (title: string, key: string): Promise<void> => {
    const category = (await (await ask('/api/knowledge/categories', key, asJson({ name: title }))).json()) as {
      id: string
    }
    const written = await ask(ENTRIES, key, asJson({ title, content: 'Light', category_id: category.id }))
    assert.equal(written.status, 201, await written.text())
  }
  const connectTo = (postgres: PostgresServer): Promise<string> =>
    shell.run(`export PGHOST=127.0.0.1 PGPORT=${new URL(postgres.url).port} PGUSER=postgres PGPASSWORD=postgres\n`)

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-installation-'))
    chmodSync(folder, 0o755)
    for (const path of ['etc/nginx/conf.d', 'etc/prometheus', 'etc/cron.d', 'sbin', 'bin', 'srv', 'stand-in', 'opt'])
      mkdirSync(inFolder(path), { recursive: true })
    for (const name of readdirSync('.').filter((each) => !each.startsWith('.')))
      symlinkSync(join(process.cwd(), name), inFolder(`opt/${name}`))
    writeFileSync(inFolder('bin/rsync'), RSYNC, { mode: 0o755 })
    ports = [await freePort(), await freePort()]
    httpsPort = await freePort()
    server = await startPostgres({ major: DUMPABLE_POSTGRES!.major })
    const text = adapted(readFileSync(GUIDE, 'utf8'), [
      ['/opt/knowledge', inFolder('opt')],
      ['/etc/', `${folder}/etc/`],
      ['/srv/', `${folder}/srv/`],
      ['/usr/local/sbin/', `${folder}/sbin/`],
      ['127.0.0.1:5432', new URL(server.url).host],
      // This is what the file of the example has.
      ["s/'localhost:8080'/", "s/'localhost:80[8]0'/"],
      ['8080', String(ports[0])],
      ['8081', String(ports[1])],
      ['ks_$(openssl rand -hex 20)', ADMIN_KEY],
      ['TRUST_PROXY=true', 'TRUST_PROXY=true\nSTOP_DELAY_SECONDS=2\nRATE_LIMIT_PER_MINUTE=100000\nLOG_LEVEL=warn'],
    ])
    steps = text.split(/^## \d+\. /m).map((section) => {
      writeFileSync(inFolder('section.md'), section)
      return blocksOf(inFolder('section.md'), 'sh')
    })
    const { PATH, ...surroundings } = SURROUNDINGS
    shell = new Shell(folder, {
      ...surroundings,
      PATH: [inFolder('bin'), DUMPABLE_POSTGRES!.folder, PATH].join(':'),
      HOME: folder,
      NODE: process.execPath,
      MAIN,
      STAND_IN: inFolder('stand-in'),
      ELSEWHERE: inFolder('elsewhere'),
    })
    await shell.run(readFileSync(join(import.meta.dirname, 'stand-ins.sh'), 'utf8'))
    await connectTo(server)
  })
  after(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()))
    await daemon?.stop()
    for (const name of readdirSync(inFolder('stand-in')).filter((each) => each.endsWith('.pid'))) {
      try {
        process.kill(Number(readFileSync(inFolder(`stand-in/${name}`), 'utf8')), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    await shell.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('step 1 brings up two processes on an empty database', async () => {
    await follow(1)
    for (const port of ports) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    const { certificate } = makeCertificate(folder)
    ca = readFileSync(certificate)
    assert.ok(existsSync(inFolder('etc/nginx/conf.d/knowledge.conf')))
    daemon = await NGINX.start({ folder, httpsPort, httpPort: await freePort(), servicePorts: ports })
  })

  test(`step 2 makes ${TENANTS} tenants, each with a key and quotas`, async () => {
    const [summary] = await follow(2)
    assert.equal(summary, `${TENANTS} created, 0 known, 0 failed\n`)
    const quotas = await ask('/api/knowledge/quotas', keyOf(`customer-${TENANTS}`))
    assert.equal(((await quotas.json()) as { entries: number }).entries, 10_000)
  })

  test('step 3 gives Prometheus both processes and all alerts', async () => {
    const [said] = await follow(3)
    assert.match(said, /SUCCESS: \d+ rules found/)
    const config = readFileSync(inFolder('etc/prometheus/prometheus.yml'), 'utf8')
    assert.ok(config.includes(`['localhost:${ports[0]}', 'localhost:${ports[1]}']`), config)
  })

  test('step 4 backs everything up, and brings it to the other machine', async () => {
    await write('Before the backup', keyOf('customer-8'))
    await write('Of who leaves', keyOf('customer-7'))
    await shell.run(`knowledge user create ${ANN} --tenant customer-8 --role editor --generate-password > /dev/null`)
    const said = await follow(4)
    assert.match(said[1], new RegExp(`rows of ${TENANTS + 1} tenants, .* backed up and verified`))
    assert.match(readdirSync(inFolder('elsewhere')).join(), /^backup-[^,]*$/)
  })

  test('step 5 shows that all is well', async () => {
    const [said] = await follow(5)
    assert.match(said, /"warnings":\[\]/)
    assert.match(said, new RegExp(`^ok +tenants +${TENANTS + 1} tenants: 2 entries, all with vectors$`, 'm'))
    assert.doesNotMatch(said, /^fail/m)
    assert.match(said, /^ok +backups .* the last one by command is of .*\/srv\/backups\/backup-/m)
    assert.match(said, /^"?customer-8"?,/m)
    assert.match(said, /"action":"update","resource_type":"tenant"/)
  })

  test(`step 6 replaces both processes, and ${CLIENTS} clients that keep their connections lose no request`, async () => {
    const through = (path: string, init: Init, dispatcher: Agent) => {
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, ...(init.headers as Record<string, string>) }
      return fetchWith(`https://${HOST}:${httpsPort}${path}`, { ...init, dispatcher, headers })
    }
    for (let n = 0; n < CLIENTS; n++) agents.push(proxyAgent({ ca, connections: 1, allowH2: n % 2 === 1 }))
    const category = await through('/api/knowledge/categories', asJson({ name: 'Two' }), agents[0])
    const { id } = (await category.json()) as { id: string }
    const pids = () => ports.map((port) => readFileSync(inFolder(`stand-in/knowledge-${port}.pid`), 'utf8'))
    const old = pids()
    const clients = new SteadyClients(CLIENTS, id, (n, path, init) => through(path, init, agents[n]))
    const said = await follow(6)
    await clients.stop()
    assert.deepEqual(clients.failures, [])
    assert.ok(clients.served > 10 * CLIENTS, `${clients.served} requests are too few`)
    assert.match(said[0], /^ok +schema +schema is up to date/m)
    assert.ok(pids().every((pid, i) => pid !== old[i]))
  })

  test('step 7 gives a tenant that leaves what is theirs, and closes the door', async () => {
    await follow(7)
    assert.match(readFileSync(inFolder('srv/leaving/customer-7.jsonl'), 'utf8'), /Of who leaves/)
    assert.ok(existsSync(inFolder('srv/leaving/customer-7/knowledge.db')))
    const key = readFileSync(inFolder('srv/leaving/customer-7.key'), 'utf8').trim()
    const settings = readFileSync(inFolder('etc/knowledge.env'), 'utf8')
    assert.ok(key.length >= 32 && !settings.includes(key), 'a tenant that leaves takes no key of the others along')
    const refused = await ask(`${ENTRIES}?limit=1`, keyOf('customer-7'))
    assert.deepEqual([refused.status, /tenant_suspended/.test(await refused.text())], [403, true])
  })

  test('step 8 erases a person', async () => {
    await follow(8)
    assert.equal((await shell.run('knowledge user list --tenant customer-8\n')).includes(ANN), false)
  })

  test('step 9 brings back what the last backup has, without who was removed and erased since', async () => {
    await write('After the backup', keyOf('customer-8'))
    await server.stop()
    assert.equal((await ask('/readyz', null)).status, 503)
    const lost = new URL(server.url).host
    server = await startPostgres({ major: DUMPABLE_POSTGRES!.major })
    await connectTo(server)
    const settings = inFolder('etc/knowledge.env')
    writeFileSync(settings, adapted(readFileSync(settings, 'utf8'), [[lost, new URL(server.url).host]]))
    const said = (await follow(9)).join('')
    assert.match(said, new RegExp(`rows of ${TENANTS + 1} tenants restored`))
    assert.deepEqual(await titles(keyOf('customer-8')), ['Before the backup'])
    assert.equal((await ask(`${ENTRIES}?limit=1`, keyOf('customer-7'))).status, 401)
    assert.equal((await shell.run('knowledge user list --tenant customer-8\n')).includes(ANN), false)
  })
})
