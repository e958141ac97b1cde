import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { readConfig, SETTINGS } from '../../src/config.ts'
import { BOTH_ID } from '../../src/embedding/builtin/ids.ts'
import type { EmbeddingStatus } from '../../src/embedding/contract.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { freePort } from '../support/free-port.ts'
import { type HeardProcess, spawnHeard } from '../support/heard-process.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { startPostgres } from '../support/postgres.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import { POSTGRES_VERSIONS } from '../support/postgres-versions.ts'
import { administer, urlOf } from '../support/template.ts'
import { MEMORY_NEEDED_MB } from './memory-needed.ts'
import { machineProgram } from './programs.ts'
import { until } from '../support/patience.ts'

const FOLDER = 'deploy/container'
const DOCKERFILE = readFileSync(join(FOLDER, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
const ENTRIES = '/api/knowledge/knowledge-entries'
/** Node alone has 116, the runtime of models 46 and the models 56; the program and what it depends on the rest. */
const IMAGE_MB_MAX = 300

/** Script that mounts as a container engine does: the root read-only, and only /data and /tmp to write to. */
const MOUNTS = `set -e
  mount --bind "$ROOT" "$ROOT"
  mount -o remount,bind,ro "$ROOT"
  mount -t tmpfs tmpfs "$ROOT/tmp"
  mount --bind "$DATA" "$ROOT/data"
  mount --rbind /dev "$ROOT/dev"
  mount -t proc proc "$ROOT/proc"
  exec chroot --userspec="$IDS" "$ROOT" "$@"`

const isDebian = existsSync('/etc/debian_version') && process.platform === 'linux'
const canMount =
  isDebian &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0
const skip = !canMount && 'only root on Debian, with the right to mount, can do here what a container engine does'

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, object>>
}

interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly depends_on?: readonly string[]
  readonly read_only?: boolean
  readonly mem_limit?: string
  readonly stop_grace_period?: string
  readonly logging?: { readonly options: Readonly<Record<string, string>> }
}

/** Keys of the Compose specification that the file uses. */
const COMPOSE_KEYS = new Set(
  (
    'image build command environment volumes tmpfs ports depends_on restart ' +
    'read_only cap_drop security_opt mem_limit shm_size stop_grace_period logging'
  ).split(' '),
)

/** Returns the value of one of the Dockerfile's instructions on how its image runs. */
function instruction(name: string): string {
  const match = new RegExp(`^${name} (.*)$`, 'm').exec(DOCKERFILE.slice(DOCKERFILE.indexOf('FROM scratch')))
  assert.ok(match, name)
  return match[1]
}

describe('the root of the image', { skip }, () => {
  let folder: string
  let said: string
  let port: number
  let probePort: number
  const root = (): string => join(folder, 'root')
  const data = (): string => join(folder, 'data')
  const children: HeardProcess[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-image-'))
    mkdirSync(data())
    const [uid, gid] = instruction('USER').split(':').map(Number)
    chownSync(data(), uid, gid)
    port = await freePort()
    probePort = await freePort()
    said = (await promisify(execFile)(`${FOLDER}/assemble.sh`, [root()])).stdout
  })
  after(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a program of the image with the environment and the user that the Dockerfile gives it. */
  function run(command: readonly string[], settings: Record<string, string> = {}): HeardProcess {
    const own = [...instruction('ENV').matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, name, value]) => [
      name,
      value.replaceAll('"', ''),
    ])
    const ports = { PORT: String(port), PROBE_PORT: String(probePort) }
    const env = { ...Object.fromEntries(own), ...ports, HOST: '127.0.0.1', ...settings }
    const child = spawnHeard('unshare', ['--mount', 'sh', '-c', MOUNTS, 'sh', ...command], {
      env: { PATH: process.env.PATH, ROOT: root(), DATA: data(), IDS: instruction('USER'), ...env },
    })
    children.push(child)
    return child
  }
  async function start(): Promise<HeardProcess> {
    const command = [...JSON.parse(instruction('ENTRYPOINT')), ...JSON.parse(instruction('CMD'))]
    const service = run(command, { BOOTSTRAP_API_KEY: ADMIN_KEY, STOP_DELAY_SECONDS: '0' })
    await until(
      () => {
        assert.equal(service.exitCode, null, service.said)
        return service.said.includes('is ready at')
      },
      () => `the service is ready: ${service.said}`,
    )
    return service
  }
  const call = (path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('has nothing to log in with, and is no larger than it has to be', () => {
    const programs = globSync('{bin,sbin,usr/bin,usr/sbin}/*', { cwd: root() })
    assert.deepEqual(programs, ['usr/bin/node'])
    const privileged = globSync('**/*', { cwd: root() }).filter((path) => {
      const stats = statSync(join(root(), path), { throwIfNoEntry: false })
      return stats?.isFile() && (stats.mode & 0o6000) !== 0
    })
    assert.deepEqual(privileged, [])
    const [, megabytes] = /^image: (\d+) MB, \d+ MB as it is pulled/m.exec(said)!
    assert.ok(Number(megabytes) <= IMAGE_MB_MAX, said)
  })

  test('backs up a PostgreSQL and brings it back', { skip: skipWithout('pgDump') }, async () => {
    const server = await startPostgres({ major: DUMPABLE_POSTGRES!.major })
    try {
      const knowledge = async (args: readonly string[], name: string): Promise<void> => {
        const settings = { DATABASE_URL: urlOf(server.url, name), SECRET_KEY: 's'.repeat(40) }
        const child = run(['/usr/bin/node', '/app/src/main.ts', ...args], settings)
        assert.deepEqual(await once(child, 'exit'), [0, null], child.said)
      }
      for (const name of ['whole', 'empty']) await administer(server.url, `create database ${name}`)
      await knowledge(['tenant', 'create', 'lamps'], 'whole')
      await knowledge(['backup', '/data/backups'], 'whole')
      const [made] = globSync('backups/*', { cwd: data() })
      await knowledge(['restore', `/data/${made}`], 'empty')
      await knowledge(['tenant', 'show', '--tenant', 'lamps'], 'empty')
    } finally {
      await server.stop()
      rmSync(join(data(), 'backups'), { recursive: true, force: true })
    }
  })

  test('serves as a user without a name on a read-only file system, and keeps its data', async () => {
    const service = await start()
    const { id: category_id } = (await (await call('/api/knowledge/categories', { name: 'One' })).json()) as {
      id: string
    }
    const entry = { title: 'Lampe', content: 'Sie macht Licht.', category_id }
    assert.equal((await call(ENTRIES, entry)).status, 201)
    await until(async () => (await call('/readyz')).status === 200, 'the search thread is ready, too')
    for (const path of ['/console', '/docs']) assert.equal((await call(path)).status, 200, path)
    await until(async () => {
      const status = (await (await call('/api/knowledge/embedding-status')).json()) as EmbeddingStatus
      assert.deepEqual([status.unread_reason, status.failing], [null, 0])
      return status.pending === 0 && status.model === BOTH_ID
    }, 'the contextual model, too, has read the entry')
    const health = run(JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[])
    assert.deepEqual(await once(health, 'exit'), [0, null], health.said)
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null], service.said)

    const again = await start()
    const hits = (await (await call(`${ENTRIES}/search`, { query: 'Licht' })).json()) as { entry: { title: string } }[]
    assert.deepEqual(
      hits.map((hit) => hit.entry.title),
      ['Lampe'],
    )
    again.kill('SIGTERM')
    assert.deepEqual(await once(again, 'exit'), [0, null], again.said)
    const unhealthy = run(JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[])
    assert.notEqual((await once(unhealthy, 'exit'))[0], 0)
  })
})

describe('the Dockerfile', () => {
  const lines = DOCKERFILE.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const assemble = readFileSync(join(FOLDER, 'assemble.sh'), 'utf8')
  const program = readFileSync('deploy/program.sh', 'utf8')

  test('has instructions that engines know, and a context with all that it assembles', () => {
    const instructions = 'ARG FROM COPY RUN ENV USER WORKDIR VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(
      ' ',
    )
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]).filter((name) => !instructions.includes(name)),
      [],
    )
    const [, script] = /\/clone\/(\S+assemble\.sh) \/image$/m.exec(DOCKERFILE)!
    for (const executed of [script, 'deploy/program.sh'])
      assert.equal(statSync(executed).mode & 0o111, 0o111, `${executed} can be executed`)
    const ignored = readFileSync(join(FOLDER, 'Dockerfile.dockerignore'), 'utf8').trim().split('\n')
    const copied = [...program.matchAll(/^ *cp (?:-R )?(.+) "\$target[^"]*"$/gm)].flatMap(([, words]) =>
      words.split(' '),
    )
    assert.ok(copied.length > 8, copied.join())
    for (const path of copied) {
      assert.ok(existsSync(path), path)
      assert.ok(!ignored.includes(path.split('/')[0]), `${path} is left out of the context`)
    }
    assert.ok(ignored.includes('**/node_modules') && ignored.includes('.git'), 'what is large stays out')
  })

  test('takes its base from an argument, so that a digest can pin it', () => {
    const [argument, from] = lines
    const [, base] = /^ARG BASE=(node:\d+-bookworm(?:@sha256:[0-9a-f]{64})?)$/.exec(argument)!
    assert.equal(from, 'FROM ${BASE} AS build')
    assert.ok(readFileSync('docs/guides/run-in-a-container.md', 'utf8').includes(`BASE=${base}@`))
  })

  test('starts and checks what the image has, as a user who owns the data alone', () => {
    const started = JSON.parse(instruction('ENTRYPOINT')) as string[]
    const checked = JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[]
    assert.deepEqual([started[0], checked[0]], ['/usr/bin/node', '/usr/bin/node'])
    assert.ok(assemble.includes('"$target/usr/bin/node"'), 'assemble.sh puts it there')
    assert.equal(started[1], '/app/src/main.ts')
    assert.equal(checked[1], '/app/health.mjs')
    assert.ok(assemble.includes('cp "$clone/deploy/container/health.mjs" "$target/app"'))
    assert.ok(assemble.includes(`chown ${instruction('USER')} "$target/data"`), 'the owner of a new volume')
    assert.equal(instruction('VOLUME'), instruction('WORKDIR'))
    const settings = new Set<string>(SETTINGS.map(({ name }) => name))
    const names = [...instruction('ENV').matchAll(/(\w+)=(?:"[^"]*"|\S+)/g)].map(([, name]) => name)
    assert.deepEqual(
      names.filter((name) => !settings.has(name) && !/^MALLOC_|^KNOWLEDGE_CALLED_AS$/.test(name)),
      [],
    )
    const [port, probePort] = instruction('EXPOSE').split(' ')
    assert.match(instruction('ENV'), new RegExp(`\\bPORT=${port} .*\\bPROBE_PORT=${probePort} `))
  })
})

describe('the compose file', () => {
  const text = readFileSync(join(FOLDER, 'compose.yml'), 'utf8')
  const file = parse(text, { strict: true, uniqueKeys: true }) as ComposeFile
  const { services } = file

  test('refers only to services, volumes, files and variables that there are', () => {
    assert.deepEqual(
      Object.keys(file).filter((key) => !key.startsWith('x-')),
      ['services', 'volumes'],
    )
    const named = new Set<string>()
    for (const [name, service] of Object.entries(services)) {
      const unknown = Object.keys(service).filter((key) => !COMPOSE_KEYS.has(key))
      assert.deepEqual(unknown, [], name)
      for (const other of service.depends_on ?? []) assert.ok(other in services, `${name} depends on ${other}`)
      for (const volume of service.volumes) {
        const [source, target] = volume.split(':')
        assert.match(target, /^\//, volume)
        if (source.startsWith('.')) assert.ok(existsSync(join(FOLDER, source)), volume)
        else named.add(source)
      }
    }
    assert.deepEqual(Object.keys(file.volumes).toSorted(), [...named].toSorted())
    const { context, dockerfile } = services.knowledge.build!
    assert.ok(existsSync(join(FOLDER, context, dockerfile)))
    assert.ok(services.knowledge.volumes.includes(`knowledge:${instruction('VOLUME')}`))
    const variables = new Set([...text.matchAll(/\$\{(\w+)[^}]*\}/g)].map(([, name]) => name))
    const guide = readFileSync('docs/guides/run-in-a-container.md', 'utf8')
    const explained = [...guide.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
    assert.deepEqual([...variables].toSorted(), explained.toSorted(), 'the guide shows them all, and no others')
  })

  test('bounds what each container logs', () => {
    for (const [name, { logging }] of Object.entries(services)) {
      assert.match(logging?.options['max-size'] ?? '', /^\d+m$/, name)
      assert.ok(Number(logging?.options['max-file']) > 1, name)
    }
    const guides = ['run-in-a-container', 'run-an-installation'].map((name) =>
      readFileSync(`docs/guides/${name}.md`, 'utf8'),
    )
    for (const guide of guides) {
      const commands = [...guide.replaceAll('\\\n', ' ').matchAll(/^ *docker run -d .*$/gm)].map(([line]) => line)
      assert.ok(commands.length > 0)
      for (const command of commands) assert.match(command, /--log-opt max-size=\d+m --log-opt max-file=\d+/)
    }
  })

  test('lets Caddy and the service find what they need', () => {
    const caddyfile = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8')
    const [, host, port] = /reverse_proxy (\w+):(\d+)/.exec(caddyfile)!
    assert.ok(host in services)
    assert.equal(port, instruction('EXPOSE').split(' ')[0])
    const [, mounted] = services.caddy.volumes[0].split(':')
    assert.ok(services.caddy.command!.endsWith(`--config ${mounted}`))
    const [, major] = /^postgres:(\d+)$/.exec(services.database.image!)!
    assert.ok(POSTGRES_VERSIONS.has(Number(major)), `the tests run on PostgreSQL ${major}`)
    const { POSTGRES_USER, POSTGRES_DB } = services.database.environment
    const url = new URL(services.knowledge.environment.DATABASE_URL.replace(/\$\{[^}]*\}/, 'password'))
    assert.deepEqual([url.username, url.pathname, url.hostname], [POSTGRES_USER, `/${POSTGRES_DB}`, 'database'])
    // STOP_DELAY_SECONDS, the ten seconds in which everything ends, and some.
    assert.ok(Number.parseInt(services.knowledge.stop_grace_period!, 10) >= readConfig({}).stopDelaySeconds + 12)
  })

  test('gives the service settings that it takes', () => {
    const settings = new Set<string>(SETTINGS.map(({ name }) => name))
    const values: Record<string, string> = {
      HOST_NAME: 'knowledge.example.com',
      DATABASE_PASSWORD: 'p'.repeat(20),
      SECRET_KEY: 's'.repeat(40),
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      BOOTSTRAP_ADMIN_PASSWORD: 'w'.repeat(20),
    }
    const { environment, read_only } = services.knowledge
    assert.deepEqual(
      Object.keys(environment).filter((name) => !settings.has(name)),
      [],
    )
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_all, variable: string) => values[variable]),
    ])
    const config = readConfig(Object.fromEntries(filled) as Record<string, string>)
    assert.equal(config.publicUrl, 'https://knowledge.example.com')
    assert.equal(new URL(config.databaseUrl!).hostname, 'database')
    assert.equal(read_only, true)
  })

  test('gives the service the memory that it takes while it builds indexes', () => {
    const [, gigabytes] = /^(\d+)g$/.exec(services.knowledge.mem_limit!)!
    assert.ok(Number(gigabytes) * 1_024 >= MEMORY_NEEDED_MB, `${gigabytes} GB for ${MEMORY_NEEDED_MB} MB`)
  })

  const caddy = machineProgram('caddy', 'caddy')
  test('gives Caddy a configuration that it takes', { skip: caddy.skip }, () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', join(FOLDER, 'Caddyfile')]
    const home = mkdtempSync(join(tmpdir(), 'knowledge-caddy-'))
    const env = {
      ...process.env,
      HOST_NAME: 'knowledge.example.com',
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      HOME: home,
    }
    const { status, stderr } = spawnSync(caddy.path, args, { encoding: 'utf8', env })
    rmSync(home, { recursive: true, force: true })
    assert.equal(status, 0, stderr)
  })
})
