import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adapted, Daemon, type MachineProgram, machineProgram } from './programs.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const sample = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

export const HOST = 'knowledge.example.com'

interface ProxyPlace {
  /** Folder for the proxy's files, readable by every user. */
  readonly folder: string
  readonly httpsPort: number
  readonly httpPort: number
  /** Ports of the two processes of the service. */
  readonly servicePorts: readonly [number, number]
}

/** A proxy of the samples, adapted to the ports of a test. */
export interface Proxy {
  readonly name: string
  readonly program: MachineProgram
  /** Protocols over which clients may send lines while they read answers to earlier ones. */
  readonly streamsOver: readonly ('HTTP/1.1' | 'HTTP/2')[]
  start(place: ProxyPlace): Promise<Daemon>
}

/** Makes a certificate for the host, signed by itself. @returns paths of certificate and key */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'knowledge.pem'), join(folder, 'knowledge.key')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  })
  return { certificate, key }
}

const nginx: Proxy = {
  name: 'nginx',
  program: machineProgram('nginx', 'nginx'),
  streamsOver: ['HTTP/1.1', 'HTTP/2'],
  start({ folder, httpsPort, httpPort, servicePorts }) {
    const conf = adapted(sample('nginx/knowledge.conf'), [
      ['listen 80;', `listen 127.0.0.1:${httpPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`],
      ['127.0.0.1:8080', `127.0.0.1:${servicePorts[0]}`],
      ['127.0.0.1:8081', `127.0.0.1:${servicePorts[1]}`],
      ['/etc/ssl/certs/knowledge.pem', join(folder, 'knowledge.pem')],
      ['/etc/ssl/private/knowledge.key', join(folder, 'knowledge.key')],
    ])
    writeFileSync(join(folder, 'knowledge.conf'), conf)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(folder, each)};`,
    )
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr warn; ${process.getuid?.() === 0 ? 'user root;' : ''}
       events {} http { access_log off; ${paths.join(' ')} include ${join(folder, 'knowledge.conf')}; }\n`,
    )
    return Daemon.start(this.program.path, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], httpsPort)
  },
}

const caddy: Proxy = {
  name: 'Caddy',
  program: machineProgram('caddy', 'caddy'),
  // Over HTTP/1.1 Caddy 2.6 reads no more of a request once it answers.
  streamsOver: ['HTTP/2'],
  start({ folder, httpsPort, httpPort, servicePorts }) {
    const [certificate, key] = [join(folder, 'knowledge.pem'), join(folder, 'knowledge.key')]
    const file = adapted(sample('caddy/Caddyfile'), [
      [
        'knowledge.example.com {',
        `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n}\n\nknowledge.example.com {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
      ],
      ['127.0.0.1:8080', `127.0.0.1:${servicePorts[0]}`],
      ['127.0.0.1:8081', `127.0.0.1:${servicePorts[1]}`],
    ])
    writeFileSync(join(folder, 'Caddyfile'), file)
    const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    return Daemon.start(this.program.path, args, httpsPort, { env })
  },
}

export const PROXIES: readonly Proxy[] = [nginx, caddy]
